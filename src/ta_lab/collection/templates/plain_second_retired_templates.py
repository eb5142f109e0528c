"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""
# ruff: noqa: E501 - lines of text as they stand in a file

PARAGRAPHS: dict[str, tuple[str, ...]] = {
    "en": (
        "Good passwords are long rather than clever. Do not write them on a note under the keyboard, do not send them by mail, and never use the same one twice. If you must share one, say it on the phone and change it afterwards.",
        "The tram turns left behind the theatre, stops in front of the fish market, and then climbs so slowly that boys used to jump off, buy an ice cream and catch it again at the bend.",
        "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n        self.items.append(item)\n\n    def pop(self):\n        return self.items.pop()",
        "Reviewer two finds the introduction too long and the experiments too short. We have cut the former and extended the latter; the new figure compares both methods on the larger of the two sets.",
        "Loosen the wheel nuts before you lift the car. Once the wheel hangs free, take the nuts off by hand, pull the wheel towards you, and put the spare one on. Tighten crosswise, a little at a time.",
        "honestly the second season is better, they stopped explaining everything. my sister gave up after the pilot and i keep telling her to skip to the one with the storm",
        "To authenticate, create a token on the settings page and pass it in the Authorization header. Replace YOUR_TOKEN with the token you created. Requests without a valid token are answered with an error.",
        "Dear neighbours, the stairwell will be painted next week, so please keep your doors shut and your cats inside. The painters are friendly but the paint is not. Thank you for your patience!",
        "Symptoms usually fade within a few days. Rest, drink plenty of water and avoid bright screens. See a doctor if the headache gets worse or if you feel confused.",
        "<ul>\n  <li>Home</li>\n  <li>About us</li>\n  <li>Visit</li>\n</ul>\n<p>We are a small museum of tools. Children are welcome and may touch nearly everything.</p>",
        "The defendant's counsel objected that the letter had been read out of context. The judge allowed the question but asked that the whole letter be put before the jury, which took the better part of the afternoon.",
        "Assistant: I could not find a flight that leaves in the morning.\nUser: Then the evening is fine too.\nAssistant: There are several in the evening. Do you prefer a window?\nUser: Aisle, please.",
        "Midfield was where they lost it. The captain kept dropping deep to fetch the ball, nobody ran beyond him, and by the time the substitutes came on the visitors were happy to defend.",
        "git add .\ngit commit\ngit push\n\nIf the push is refused, pull first, solve the conflicts in your editor, and try again. Ask before you force anything.",
    ),
    "es": (
        "Mi abuela nunca pesaba la harina. Metía la mano en el saco, miraba la masa y decía que el pan ya le avisaría cuando tuviera bastante.",
        "Si olvida su contraseña, pulse el enlace que aparece debajo del formulario y siga los pasos. Nadie de nuestro equipo se la pedirá por teléfono.",
    ),
    "fr": (
        "On a pris le chemin du bas à cause de la boue, et finalement c'était plus joli : des vaches, un lavoir, et personne pour nous dire qu'on s'était trompés.",
        "Le conseil municipal a longuement parlé du kiosque. Les uns veulent le repeindre, les autres le déplacer, et le chef de la fanfare demande surtout qu'on répare le toit.",
    ),
    "de": (
        "Im Treppenhaus steht seit Wochen ein Kinderwagen, den niemand vermisst. Frau Sommer meint, man müsse einen Zettel aufhängen, aber alle finden, das solle jemand anders tun.",
        "Wer zum ersten Mal rudert, greift zu fest zu. Lass die Hände locker, schau nach vorn und warte, bis das Boot von selbst läuft.",
    ),
    "it": (
        "Il treno era in ritardo come sempre, così abbiamo fatto in tempo a litigare, a fare pace e a bere un altro caffè al bar della stazione.",
        "Per un buon soffritto ci vuole pazienza: fuoco basso, cipolla tritata fine, e niente telefono finché non profuma.",
    ),
    "pt": (
        "O ônibus passa quando quer, e quem mora no morro já aprendeu a levar um livro. A motorista conhece todo mundo pelo nome e espera os atrasados.",
        "Antes de ligar a máquina, verifique se a mangueira está bem presa e se a torneira está aberta. Não use sabão demais.",
    ),
    "ru": (
        "Дед чинил часы всем соседям и денег не брал, зато каждый приносил что-нибудь к чаю, и вечером на кухне было не протолкнуться.",
        "Если приложение зависло, закройте его и откройте снова. Если не помогло, перезагрузите телефон и подождите пару минут.",
    ),
    "ar": (
        "كانت جدتي تقول إن الخبز لا يحب العجلة، فتترك العجين تحت قطعة قماش وتجلس قرب النافذة تحكي لنا قصص البحر حتى ينتفخ.",
        "يرجى من الزوار الكرام عدم لمس المعروضات وإبقاء الأطفال قريبين منهم، والتصوير مسموح من دون فلاش.",
    ),
    "hi": (
        "नानी के घर की छत पर शाम को सब इकट्ठा होते थे। कोई पतंग उड़ाता, कोई चाय बनाता, और बिजली चली जाती तो कहानियाँ शुरू हो जातीं।",
        "बस देर से आई, इसलिए हम पैदल ही निकल पड़े। रास्ते में आम के पेड़ थे और किसी को घर पहुँचने की जल्दी नहीं थी।",
    ),
    "tr": (
        "Vapur iskeleden ayrılınca martılar peşine takıldı. Simidini paylaşmak istemeyen amca bile sonunda dayanamayıp bir parça attı.",
        "Çamaşırları renklerine göre ayırın, ceplerini boşaltın ve makineyi ağzına kadar doldurmayın.",
    ),
    "zh": (
        "外婆家的院子里有一口老井，夏天我们把西瓜放进去，晚上捞上来，一家人坐在竹床上边吃边聊天。",
        "请各位旅客保管好随身物品，不要倚靠车门。下车时请注意列车与站台之间的空隙。",
    ),
    "ja": (
        "引っ越しの荷物がなかなか片づかず、結局その日は段ボールの上でカップ麺を食べた。それでも窓からの景色だけは気に入っている。",
        "当館では館内での飲食をご遠慮いただいております。お子様連れのお客様は、どうぞ手をつないでご覧ください。",
    ),
    "ko": (
        "버스를 놓친 덕분에 우리는 시장을 천천히 구경했다. 떡볶이 아주머니는 우리가 학생인 줄 알고 어묵을 하나씩 더 얹어 주셨다.",
        "세탁기를 돌리기 전에 주머니를 꼭 확인하세요. 휴지 한 장이 온 빨래를 망칠 수 있습니다.",
    ),
}
