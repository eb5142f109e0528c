"""Cases, experiments, benchmarks, training and the report; the library never imports them."""
