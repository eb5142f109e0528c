"""Sentences that correct a value, and questions about corrected values."""

from __future__ import annotations

# They name the label and the new value only.
CORRECTIONS = (
    "Correction: the {key} is {value}.",
    "The {key} has changed; it is now {value}.",
    "Update: the {key} is now {value}.",
    "The {key} was changed to {value}.",
    "Please use {value} as the {key} instead.",
    "Scrap the earlier {key}; use {value}.",
    "Sorry, I made a mistake. The {key} is {value}.",
    "I misread the {key}: it should be {value}.",
    "Erratum: for the {key} read {value}.",
    "As of this morning the {key} is {value}.",
    "The {key} given above is wrong. The right one is {value}.",
    "The {key} mentioned earlier is out of date; {value} replaces it.",
    "We had to replace the {key}. It is {value} now.",
    "Forget what I said about the {key}, it's {value}.",
    "Actually, the {key} is {value}.",
    "Wait, the {key} is really {value}.",
    "The {key} was reset and is {value} from now on.",
    "{value} is the new {key}.",
    "New {key}: {value}",
    "{Key} (updated): {value}",
    "{Key} (corrected): {value}",
    "EDIT: {key} is {value}",
    "[update] {key}: {value}",
    "The latest {key} is {value}.",
    "They have rotated the {key}; the current one is {value}.",
    "On second thought, let the {key} be {value}.",
    "We decided to change the {key} to {value}.",
    "The {key} no longer works. Use {value}.",
    "Ignore the old {key}. The valid one is {value}.",
    "The {key} expired yesterday and {value} took its place.",
    "From now on, {value} is the {key}.",
    "I have to correct myself: {value} is the {key}.",
    "Somebody noticed a typo in the {key}. Correctly it reads {value}.",
    "The {key} has been overwritten with {value}.",
    "Revised {key}: {value}.",
)
# They follow the statement that they correct, when no other stands between.
KEYLESS = (
    "No, make that {value}.",
    "Scrap that, it's {value}.",
    "Sorry, I meant {value}.",
    "Correction: {value}.",
    "Oops, wrong line. {value} is right.",
    "Wait, I read it wrong. It is {value}.",
    "Update: it is {value} now.",
    "It was changed to {value} later.",
    "Strike that. It should say {value}.",
    "That was the old one; now it's {value}.",
    "Hold on, it has changed to {value}.",
    "Let me correct that: {value}.",
)
# They repeat the old value.
WITH_OLD = (
    "Correction: the {key} is {value}, not {old}.",
    "The {key} changed from {old} to {value}.",
    "We replaced {old} by {value} as the {key}.",
    "The {key} isn't {old} any more but {value}.",
    "{old} is outdated; the {key} is {value}.",
    "The {key} used to be {old}, now it is {value}.",
    "Not {old}: the {key} is {value}.",
    "Instead of {old}, use {value} for the {key}.",
)
# Statement and correction in one breath.
AT_ONCE = (
    "The {key} is {old} - no, sorry, {value}.",
    "The {key} is {old}, I mean {value}.",
    "The {key} was {old} until last week and is {value} now.",
    "{Key}: ~~{old}~~ {value}",
    "The {key}, formerly {old}, is {value}.",
    "The {key} is {value} (it was {old} before).",
    "The {key} is {value} and not {old}, as some believe.",
)
CURRENT = (
    "What is the current {key}?",
    "What is the {key} now?",
    "What is the latest {key}?",
    "What is the {key} after the correction?",
    "Which {key} is valid?",
    "What is the correct {key}?",
    "Give me the most recent {key}.",
    "What did the {key} change to?",
    "Which {key} should I use from now on?",
    "What is the {key} at the moment?",
    "What is the up-to-date {key}?",
    "Tell me the {key} that is in force today.",
    "What is the new {key}?",
    "What is the {key} in the end?",
)
ORIGINAL = (
    "What was the {key} before the correction?",
    "What was the {key} originally?",
    "What was the {key} at first?",
    "What was the original {key}?",
    "Which {key} was given first?",
    "What was the {key} before it was changed?",
    "What did the text give as the {key} initially?",
    "What was the outdated {key}?",
)
