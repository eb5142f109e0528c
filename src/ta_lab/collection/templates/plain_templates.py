"""Paragraphs that state no value: what surrounds values, and must not be kept (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

from . import value_free_templates
from .read_templates import READ_PARAGRAPHS
from .talk_templates import TALK

VALUE_FREE = (*value_free_templates.VALUE_FREE, *READ_PARAGRAPHS, *TALK)

PARAGRAPHS: dict[str, tuple[str, ...]] = {
    "en": (
        "The committee met in the small room because the large one was being painted. Nobody had read the draft, so the chair read it aloud, and after some discussion about commas it was accepted without a vote. The next meeting will take place after the holidays.",
        "Most of the orchard is old and half of the trees carry fruit that no shop would take. We press it anyway. The juice tastes different every year, which visitors like and the accountant does not.",
        "def merge(left, right):\n    out = []\n    while left and right:\n        out.append(left.pop(0) if left[0] <= right[0] else right.pop(0))\n    return out + left + right",
        "- wash the beans and leave them in water overnight\n- chop one onion and two carrots\n- fry gently, add the beans, cover with broth\n- salt only at the end, otherwise the skins stay hard",
        "A cache keeps what was asked for recently in the hope that it will be asked for again. When it is full something has to go, and the policy that decides what goes is the whole art: the oldest entry, the least used one, or one at random.",
        "Thanks for coming by yesterday! The children talked about the kite all evening. Let me know whether you found your scarf, I think it was behind the sofa. See you on Sunday, and bring the dog if the weather holds.",
        "logging:\n  level: info\n  format: text\nfeatures:\n  search: true\n  export: false\nui:\n  theme: dark\n  language: en",
        "The ferry leaves when it is full. There is a timetable on the wall of the kiosk, but the captain says that it was put there by his brother-in-law and that he has never looked at it.",
        "User: Could you make the summary shorter?\nAssistant: Of course. The report argues that buses work better than trams in small towns because routes can change.\nUser: Nice, thanks.",
        "In the second act the violins drop out altogether, and for a few bars there is only the clarinet, quite alone, before the drums answer. Critics at the time called it a mistake; today people wait for it.",
    ),
    "es": (
        "El mercado abre temprano y a mediodía ya no queda pescado. Los vecinos se saludan, preguntan por la familia y discuten sobre el precio de los tomates como si fuera la primera vez.",
    ),
    "fr": (
        "Le boulanger ferme le lundi, et tout le quartier s'en plaint depuis des années. On achète donc deux pains le dimanche, dont l'un finit presque toujours en soupe.",
    ),
    "de": (
        "Im Herbst riecht das ganze Dorf nach Äpfeln. Die Kinder sammeln, was heruntergefallen ist, und am Abend steht in jeder Küche ein großer Topf auf dem Herd.",
    ),
    "it": (
        "La domenica il paese si ferma: le botteghe restano chiuse, i ragazzi giocano davanti alla chiesa e qualcuno suona la fisarmonica sul balcone.",
    ),
    "pt": (
        "Depois da chuva a rua fica cheia de folhas, e o vizinho varre a calçada sem pressa, parando para conversar com quem passa.",
    ),
    "ru": (
        "Осенью в библиотеке тихо: студенты ещё не начали готовиться к экзаменам, а пенсионеры уже вернулись с дач и читают газеты у окна.",
    ),
    "ar": (
        "في المساء يجتمع الجيران أمام المقهى ويتحدثون عن الطقس وعن أخبار القرية، ثم يعود كل واحد إلى بيته قبل أن يبرد الشاي.",
    ),
    "hi": (
        "सुबह होते ही बाज़ार में चहल-पहल शुरू हो जाती है। दुकानदार अपनी दुकानें सजाते हैं और बच्चे स्कूल जाते हुए मिठाई की ओर देखते हैं।",
    ),
    "tr": (
        "Kışın göl donar ve çocuklar kızaklarıyla kıyıya iner. Büyükler ise sobanın başında çay içip eski günlerden söz eder.",
    ),
    "zh": ("春天一到，河边的柳树就绿了。老人们在树下下棋，孩子们放风筝，谁也不着急回家。",),
    "ja": (
        "朝の商店街はまだ静かで、魚屋の主人だけが水をまいています。猫が一匹、店の前で丸くなって眠っていました。",
    ),
    "ko": (
        "비가 그치자 아이들이 골목으로 뛰어나왔다. 할머니는 마루에 앉아 콩을 고르며 옛날이야기를 들려주셨다.",
    ),
}
