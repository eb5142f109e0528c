"""Real sessions of agents: what a bounded cache holds and answers of them."""
