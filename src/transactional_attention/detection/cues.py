"""Words around a value in English prose: what tells of it, what holds it, what corrects it.

Backward patterns run over reversed lower-cased text from the value, forward ones from its end; all
are anchored, so nothing is searched.
"""

from __future__ import annotations

import re

from . import verbs
from .letter_tree import backward_tree

COPULA = (
    "is|was|are|be|being|been|will be|equals|equal to|reads|remains|stays|became|becomes|works out"
    " to"
    "|comes to|turned out to be|happens to be|is set to|was set to|now|'s|’s|goes"
    + "".join(f"|{verb} {joint}" for verb in verbs.CHANGED.split("|") for joint in ("to", "until"))
)
_FILLER = (
    "now|currently|still|actually|just|literally|exactly|simply|only|again|also|really|then|always"
    "|that|:|as follows|the following|number|code|no.|at|in|on|under|to|with|as|by|a|the|an|of|from"
)
TELL = (
    "remember|memorize|memorise|note|jot down|write down|wrote down|keep in mind|forget|save|store"
    "|tell them|tell him|tell her|quote|cite|mention|say|saying|reply with|answer with|respond with"
    "|ask for|look for|search for|listen for|watch for|here's|here is|here are|these are|this is"
    "|it's|its|it is|that's|that is|that’s|it’s|here’s|i'm|i am|we're|we are|she's|he's|they're"
    "|namely"
)
DO = (
    "type|type in|typed|enter|entering|entered|key in|punch in|punched in|tap in|tap|press"
    "|pressing|dial|dialing|use|using|used"
    "|try|put in|put|plug in|input|paste|feed it|send|swipe|scan|show|present|give them|give|hand"
    " over|with code"
    "|opens with|open with|unlock with|unlocks with|unlocked with|unlock it with|open it with"
    "|opens on|works with"
    "|log in with|log in as|login as|sign in with|sign in as|signed in as|authenticate with"
    "|authenticate as"
    "|connect to|connecting to|point it at|points to|pointing at|listening on|listens on|running"
    " on|runs on|bound to"
    "|bind to|deployed to|lives at|live at|lives in|lives under|hosted at|hosted on|served from"
    "|stored in|stored at|stored under|saved as"
    "|saved in|saved to|saved under|filed under|kept in|kept under|hidden in|found at|found under"
    "|available at|sits at|sits in|parked in|parked at"
    "|parked on|parked under|located at|ships to|ends in|ends with|starts with|begins with|pinned"
    " to|pinned at|locked to|fixed at|capped at|tagged|tagged as"
    "|labelled|labeled|labelled as|marked|marked as|named|called|known as|goes by|go by|answers to"
    "|registered as"
    "|registered under|booked under|booked as|under|reach me at|reach me on|reach her on|reach her"
    " at|reach him on"
    "|reach him at|reach us at|reach us on|reach them on|reach them at|reach|call|call me on|call"
    " me at|call her on|text|ping|ring|mail|email"
    "|message|write to|contact|phone|fax|meet at|meet in|boards at|departs from|leaves from|seated"
    " in|sitting in|came out as|came back as|came back with"
    "|got|received|assigned|issued|given|gave|gave me|gave us|sent me|shared|handed me|picked"
    "|chose|chosen|assigned to|charged to|billed to|transfer to"
    "|wired to|wire it to|wire the money to|pay into|paid into|settled on|landed on|agreed on"
    "|rolled back to|roll back to|revert to|deployed|checkout|check out|commit"
    "|read|reads|says|said|repeats|whisper|whispers|texts|quotes|write|writes|carry|carries|bear|bears|bore|written"
    "|wrote|engraved|carved|inked|tattooed|painted|stamped|printed|scratched|scribbled|scrawled"
    "|pencilled|penned|jotted|typed|etched|embossed|chalked|sprayed|stitched|sewn|displays|displayed"
    "|drew|drawn|spelled|spells|anchored at|anchored in|moored at|tuned to|turn it to|addressed to"
    "|cherry-pick|revert|bisected to|introduced in|fixed in|merged as|upgrade to|downgrade to|bump"
    " to|pin to|budget is|budget of|limit of|expires|expires on|expires at|expiring on|valid until"
    "|valid through|valid till|valid thru|good until"
)
CORRECT = (
    "changed it|changed it to|no wait|wait|amended to|make that|make it|i meant|meant to say"
    "|correction|scratch that|strike that|rather|sorry|actually"
    "|should be|should read|should have been|instead use|use instead|changed to|has changed to|was"
    " changed to|is now|are now|now it's|now it is|it is now|it's now"
    "|meant to be|was meant to be|ought to read|must read|must be|has to be|should say|typo|oops"
    "|whoops"
    "|erratum|i mean|not that but|right one|correct one|real one|new one|better|precisely"
    "|updated to|replaced by|replaced with|superseded by|new one is|latest is|final answer|right"
    " one is|correct one is|ought to be|to be exact|switch to|became|amended to|moved to"
)
NOUNS = (
    "door code key keycode keypad password passcode passphrase pin login token secret gate locker"
    " safe vault alarm"
    " wifi wi-fi network router account username handle id number reference ticket order invoice"
    " booking"
    " confirmation room flight seat bay garage lock padlock combination combo code-word codename"
    " phone mobile cell line"
    " extension address host server port endpoint url link path folder file directory bucket"
    " branch commit"
    " version release build tag serial plate licence license voucher coupon promo tracking parcel"
    " shipment case"
    " customer member badge device model port price total amount balance deadline coordinates"
    " location spot"
    " intercom permit policy membership contract claim docket receipt passport pass socket remote"
    " meeting access entry entrance printer vpn database db api admin root card iban swift"
    " credential pad panel box lift elevator"
    " terminal prompt form portal shed barn cabin house flat apartment office lab cage rack shelf"
    " drawer"
).split()


def _backward(words: str) -> str:
    return backward_tree(words.split("|"))


_GAP = r"[\s\"'`“‘«(*:,#~–—-]{0,5}"
_FILL = rf"(?:(?:{_backward(_FILLER)})[ ,:]{{1,2}}){{0,4}}?"
_SHORT = r"(?:[\w'’]{1,12}[ ,:]{1,2}){0,3}?"
_LEFT_BORDER = r"(?![\w'’])"
TELLING = re.compile(rf"{_GAP}{_FILL}(?P<cue>{_backward(TELL)}){_LEFT_BORDER}")
DOING = re.compile(rf"{_GAP}{_SHORT}(?P<cue>{_backward(f'{DO}|{verbs.DOING}')}){_LEFT_BORDER}")
CORRECTING = re.compile(
    rf"{_GAP}(?:(?:(?:eht|a|ot|won|s'ti|s’ti|ti|rebmun|edoc)[ ,:]{{1,2}}|(?:eb|si)[ :])){{0,3}}?"
    rf"(?P<cue>{_backward(CORRECT)}|,on|ton s'taht|tub ?,?\S{{3,80}} ton){_LEFT_BORDER}"
)
# Done to it or with it: sealed with V, published as V.
HANDLED = re.compile(
    rf"{_GAP}(?:(?:eht|a|na|ruo|ym)[ ])?(?:{_backward(verbs.PREPOSITIONS)})[ ]"
    rf"(?:[\w'’]{{1,12}}[ ]){{0,3}}?(?:de\w{{2,12}}|{_backward(verbs.IRREGULAR)}){_LEFT_BORDER}"
)
IS = re.compile(rf"{_GAP}{_FILL}(?P<cue>{_backward(COPULA)})(?=[\s\w])")
OF = re.compile(rf"{_GAP}(?:(?:s[’']|(?:si|saw|era))[ ])?")
SUBJECT = re.compile(
    r"[ :,–—-]{1,3}(?:[\w'’/\-]{1,24} ){1,6}?(?:eht|ym|ruo|ruoy|sih|reh|rieht|sti|siht|taht|wen"
    r"|a)(?!\w)"
)
NOT = re.compile(
    r"[\s\"'`“‘]{1,3}(?:ton|t[’']nsi|t[’']nsaw|naht rehtar|fo daetsni|dlo|gnorw|remrof|suoiverp"
    r"|reilrae|ylreilrae|morf)(?!\w)"
)
_NOUN = "|".join(sorted(NOUNS, key=len, reverse=True))
_BESIDE = (
    r"now|still|in|into|past|through|what|how|where|on|to|again|under|beside|against|as|at|for"
    r"|next to"
    r"|(?:written|entered|noted|printed|listed|given|shown|filed|recorded|put|found|stamped|marked)"
    r"|what (?:you|we|they|i|she|he) \w{2,10}"
    r"|(?:the )?(?:field|column|box|line|row|space|slot|entry|place|cell|label)"
)
FOLLOWS = re.compile(
    rf"[\"'`”’»)*]{{0,3}},? \(?(?:is|was|are|being|will be|opens|unlocks|works (?:as|for)|serves as"
    rf"|gets (?:you|us|me)|stands|stood|appears|appeared|goes|belongs|sits|lies|where|under"
    rf"|lets (?:you|us|me)|disarms|starts|next to|beside|against|—|–|-|that's|that’s|for|on|at"
    rf"|into|as|down as|to|in)"
    rf" (?:(?:{_BESIDE}) ){{0,4}}?"
    rf"[\"'“‘]?(?:(?:the|my|your|our|his|her|their|its|this|that|a) )?"
    rf"(?P<label>(?:[\w'’\-]{{1,20}} ){{0,3}}?(?:{_NOUN})s?(?: (?:{_NOUN})s?)*)(?!\w)",
    re.IGNORECASE,
)
# Where a number stands, which is no name of it: 300 at the gate.
BESIDE = re.compile(
    r"[\"'`”’»)*]{0,3},? (?:in|on|at|to|for|as|into|under|beside|against|[–—-])(?!\w)"
)
# What is keyed in may be any number; other verbs hold quantities too. Both read backwards.
KEYING = frozenset(
    word[::-1]
    for word in (
        "type|type in|typed|enter|entering|entered|key in|punch in|punched in|tap in|tap|press"
        "|pressing|dial|dialing|with code|opens with|open with|unlock with|unlocks with"
    ).split("|")
)
AS_QUANTITIES = frozenset(
    word[::-1]
    for word in (
        "rather|must be|has to be|ought to be|should be|better|became|precisely|updated to|actually"
        "|to be exact"
    ).split("|")
)
AFTER_NUMBER = re.compile(
    r"[\"'`”’»)*]{0,3}(?:[.,;:!?)\]#।。，、；！？）]|です|でした|입니다|이에요|예요"
    r"|\s*(?:\n|\Z)| (?:[–—-]|and|or|on|for|at|to|in|into|as|is"
    r"|while|where|which|who|whose|whereas|though|although|since|during|unless|across|under|over"
    r"|above|below|it|he|she|they|once|now|appears|stands|stood|meant|means|between|through|last|next|yesterday|tomorrow|early|late|only|just|also|too|there|here"
    r"|was|are|if|when|then|but|so"
    r"|before|after|until|from|via|by|with|because|please|again|now|today|tonight|will|opens|unlocks|works|gets"
    r"|lets|instead|not|the|my|your|this|that|you|we|i|and then|hash|star|pound|twice)\b)",
    re.IGNORECASE,
)
CHANGE = (
    "set|sets|setting|change|changing|switch|update|move|turn|turned|assign|assigned|rotate|program"
    "|programmed|tune|tuned|configure|configured|rename|bump|point|pointed|adjust|lock|locked|amend"
    "|revise|correct|fix|fixed|lower|raise|push|extend|postpone|shift|transfer|migrate|convert"
)
SET = re.compile(
    rf"{_GAP}(?:ot|litnu|otni) (?P<what>(?:[\w'’\-]{{1,24}} ){{1,6}}?)"
    rf"(?:{_backward(f'{CHANGE}|{verbs.CHANGED}')}){_LEFT_BORDER}"
)
# An insertion: the tag was moved, without much ado, to V.
MOVED = re.compile(
    rf"{_GAP}(?:ot|litnu|otni) ,[^,.;!?\n]{{3,64}},(?:{_backward(verbs.CHANGED)}){_LEFT_BORDER}"
)
# Whatever was changed stands before: the tag was set last winter to V.
PASSIVE = re.compile(
    r"[ ](?:(?:saw|erew|neeb|gnieb|tog|si|era|eb)[ ]){1,2}(?:(?:sah|evah|dah|lliw)[ ])?"
    r"(?P<what>(?:[\w'’\-]{1,24} ){0,5}?(?:[\w'’\-]{1,24})(?= (?:eht|ym|ruo|ruoy|sih|reh|rieht|sti"
    r"|siht|taht|a)(?!\w)))"
)
# What begins or ends, and unlocks nothing: it opens in G major.
NO_OBJECT = re.compile(
    r"(?:opens|stops|turns|gets|brings) (?:in|at|on|to|for|from|with|off|up|by)\b"
)
MAKES = re.compile(
    r"[\"'`”’»)*]{0,3} (?P<verb>makes|gets|lets|stops|opens|unlocks|works|turns|silences|disarms"
    r"|resets|brings"
    r"|takes (?:you|us|me)|should (?:work|do|open)|will (?:do|work|open|get|let)|does the"
    r" trick)(?!\w)"
)
