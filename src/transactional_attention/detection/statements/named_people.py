"""What somebody is called who does something for the reader, in other languages than English: ``la
nueva profesora se llama Irene Solís``, ``المقاول اسمه عادل شرف``, ``房东名叫葛长林``, ``집주인
성함은 서광호 님``.

Heroes of stories have names too, so what the person is must be a trade or a neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..personal_names import NAME, is_person
from ..spoken import Book, announced, phrase, spoken
from .wide_names import ARABIC, ARABIC_TITLE, CHINESE, HAN, HINDI, HONOUR

NAMED = 0.7
_REACH = 40  # characters before a word for being called that hold what somebody does
_LATIN = (
    "profesora|profesor|maestra|maestro|fontanero|casera|casero|vecina|vecino|niñera|canguro|veterinaria"
    "|veterinario|dentista|entrenadora|entrenador|pediatra|electricista|albañil|contable|médica|médico"
    "|nounou|professeure|professeur|prof|voisine|voisin|plombier|propriétaire|vétérinaire|dentiste"
    "|entraîneur|maîtresse|médecin|électricien|comptable|nachbarin|nachbar|vermieterin|vermieter"
    "|lehrerin|lehrer|tierärztin|tierarzt|zahnärztin|zahnarzt|hebamme|klempner|trainerin|trainer|ärztin"
    "|babysitterin|hausmeister|idraulico|elettricista|maestra|professoressa|vicina|vicino|padrona|padrone"
    "|tata|veterinaria|allenatore|commercialista|muratore|pedreiro|encanador|canalizador|senhoria|senhorio"
    "|vizinha|vizinho|babá|treinador|treinadora|eletricista|diarista|тренера|учительницу|учителя|соседку"
    "|соседа|няню|врача|сантехника|хозяйку|хозяина|репетитора|мастера"
).split("|")
_TURKISH = (
    "ev sahibinin|öğretmenin|öğretmeninin|doktorun|komşunun|tesisatçının|ustanın|bakıcının|müdürün"
    "|avukatın|veterinerin|hocanın|kapıcının|emlakçının|antrenörün|muhasebecinin"
).split("|")
_CALLED = r"(?:se llama|s['’]appelle|heißt|heisst|si chiama|chama-se|se chama|зовут)"
_END = r"(?=[\"'”»)]?[.,;:!?](?:\s|\Z)|[\"'”»)]?\s*(?:\n|\Z)| [^\W\d_A-ZÀ-Þ]| [—–(-])"
_IS_CALLED = re.compile(rf"(?: [^\s.!?,;:]{{1,16}}){{0,4}}? {_CALLED} (?P<value>{NAME}){_END}")
_ITS_NAME = re.compile(rf" (?:adı|ismi) (?:de )?(?P<value>{NAME}){_END}")
_ROLES_AR = (
    "معلمة?|معلّمة?|مقاول|سباك|كهربائي|طبيبة?|جارة?|مدربة?|مربية|صاحبة? البيت|محامية?|مدرسة?|ممرضة?"
    "|نجار|خياطة?|موظفة?"
)
_ROLES_ZH = (
    "房东|会计|老师|教练|医生|保姆|邻居|律师|师傅|中介|房客|司机|班主任|护士|经理|同事"
    "|客服|管家|负责人|阿姨"
)
_ROLES_HI = (
    "कोच|शिक्षक|शिक्षिका|टीचर|अध्यापिका|मकान मालकिन|मकान मालिक|डॉक्टर|पड़ोसी|पड़ोसन|वकील|प्लंबर|मैनेजर"
    "|मिस्त्री|दर्ज़ी|ड्राइवर"
)
_ROLES_JA = (
    "先生|大家さん|隣の人|担当者|担任|コーチ|弁護士|看護師|ヘルパーさん|シッターさん|管理人さん"
)
_ROLES_KO = "집주인|강사|선생님|코치|담임|의사|변호사|이웃|관리인|기사님|도우미|과외|원장"
_FAMILY_JA = rf"(?:[{HAN}々]{{2,4}}(?:[ \u3000]?[{HAN}々]{{1,3}}|[ぁ-ん]{{2,4}})?)"
# The word for being called, what stands before it, and the name behind it.
_WIDE = (
    ("اسمه|اسمها", rf"(?<!\w)(?:ال)?(?:{_ROLES_AR})(?: [\u0621-\u0652]{{2,12}}){{0,2}} ",
     rf" {ARABIC_TITLE}{ARABIC}(?=[.,،؛!)]|\s*(?:\n|\Z)| [وف][\u0621-\u064a]{{2,}})"),
    ("叫|姓名是", rf"(?:{_ROLES_ZH})(?:的)?(?:名字?)?(?:现在)?(?:是)?",
     rf"(?:做)?{CHINESE}{HONOUR}(?=[。，,；！.\n]|\Z)"),
    ("का नाम", rf"(?:{_ROLES_HI})(?: जी)? ", rf" (?:अब )?{HINDI} (?:है|हैं)"),
    ("名前は", rf"(?:{_ROLES_JA})のお?",
     rf"、?(?P<value>{_FAMILY_JA})(?:さん|先生|様)?(?=です|という|といい|だよ|だ。)"),
    ("大家さんは|先生は|担任は|担当者は|管理人さんは", "",
     rf"、?(?P<value>{_FAMILY_JA})(?:さん|先生|様)?(?=という(?:人|方)|といい|と申)"),
    ("이름은|이름이|성함은|성함이", rf"(?:{_ROLES_KO})(?:의)? ?",
     " (?P<value>[가-힣]{2,4}?)(?= ?(?:님|씨|선생|이에요|예요|입니다|이고|라고|이야|야[.,]))"),
)  # fmt: skip
_LATIN_BOOK = Book(
    [
        *(phrase(said, _IS_CALLED) for said in dict.fromkeys(_LATIN)),
        *(phrase(said, _ITS_NAME) for said in _TURKISH),
    ]
)
_WIDE_BOOK = Book(
    phrase(one, (re.compile(rf"{before}\Z"), re.compile(rest)))
    for said, before, rest in _WIDE
    for one in said.split("|")
)


def named_people(text: str) -> Iterator[Anchor]:
    """Names of people behind what they do and a word for being called."""
    for begin, end, pattern in spoken(text, _LATIN_BOOK):
        match = pattern.match(text, end)
        if match and is_person(match["value"]):
            yield announced(begin, match, NAMED, "prose:person", delimited=True)
    for begin, end, (before, rest) in spoken(text, _WIDE_BOOK):
        match = rest.match(text, end)
        if match and before.search(text, max(0, begin - _REACH), begin):
            yield announced(begin, match, NAMED, "prose:person", delimited=True)
