"""Verbs before a value in English prose: what people do with one, what is done with it, what
changes into it. Written forwards; ``cues`` reads them backwards.
"""

from __future__ import annotations

_BARE = (
    "tune to|turn to|pull|fetch|clone|flash|install|boot|mount|redeem|debit"
    "|subscribe to|sync to|upload to|copy to|rsync to|dump to|drop at|leave at|leave in"
    "|deliver to|deliver it to|ship to|ship it to|post to|post it to|forward to|forward it to"
    "|send to|send it to|send them to|send everything to|fax to|invoice to|bill to|book under"
    "|file under|track with|pay with|check in with|sign with|vote for|ask after|page|radio|hail"
    "|catch me at|catch me on|find me at|find me on|find me under|find us at|get me on|try me on"
    "|hit me up at|dm|bring up|pull up|look up|call up|open up|go by|go under|go with"
)
_PRESENT = (
    "answers on|answers at|responds on|responds at|responds to|serves on|listens at|lives on"
    "|works from|broadcasts on|broadcasts as|transmits on|airs on|plays as|posts as|writes as"
    "|logs in as|logs in with|signs in as|signs in with|joins as|goes under|goes with|swears by"
    "|opens to|opens for|opens at|unlocks for|unlocks at|starts with|starts at|resolves to"
    "|open at|close at|shuts at|shut at|begins at|begin at|start at|kicks off at|kick off at"
    "|land at|arrive at|depart at|meet at|meets at|pick up at|picks up at|check in at|checks in at"
    "|due at|redirects to|forwards to|routes to|hashes to|exits through|leaves through|peers with"
    "|talks to|lands at|arrives at|departs at|leaves at|boards from|closes at|weighs"
    "|totals|comes to|came to|amounts to|amounted to|adds up to|added up to|ran to|costs|cost|owe"
    "|owes|owed|pay|pays|paid|spent|spend|charges|charge|asks for|asked for|wants|want|wanted"
    "|needs|need|won|bid|offered"
    "|bets|bet|lent|borrowed|donated|quoted"
)
DOING = f"{_BARE}|{_PRESENT}"
IRREGULAR = (
    "sent|kept|held|left|put|sold|built|found|bought|born|worn|drawn|written|bound|hung|hidden"
    "|known|given|taken|shown|gone|sworn|led|met|read|paid|drove|stuck|spelt|broadcast"
)
"""What was done, beside words in -ed; with one of ``PREPOSITIONS`` a value follows."""
PREPOSITIONS = "as|under|at|to|with|by|on|via|into|through|from|for"
CHANGED = (
    "changed|moved|postponed|pushed|pushed back|pushed out|put back|brought forward|moved up"
    "|extended|prolonged|delayed|shifted|relocated|transferred|switched|rescheduled|renamed"
    "|rebased|reassigned|rebooked|amended|revised|corrected|lowered|raised|reduced|increased"
    "|dropped|bumped|cut|upped|upgraded|downgraded|migrated|rolled|rolled over|rerouted|diverted"
    "|converted|renumbered|relabelled|relabeled|retagged|rekeyed|reset|rotated|swapped|updated"
    "|adjusted|set|went up|gone up|went down|gone down|came down|come down|risen|fallen|slipped"
)
"""What was one thing and is another, behind ``to`` and the like."""
