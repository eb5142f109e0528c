"""RETIRED SPLIT: the test split until it was scored; since then it is for development too."""
# ruff: noqa: E501 - lines of text as they stand in a file

PARAGRAPHS: dict[str, tuple[str, ...]] = {
    "en": (
        "Painting the fence took longer than expected, mostly because the goat considered every wet board an invitation. In the end two sides were green, one was blue, and the last was left as it was.",
        "A good index is boring. It sends the reader to the right page, admits what it leaves out, and never tries to be clever about synonyms. Writing one takes patience and a quiet room.",
        "function clamp(x, low, high) {\n  if (x < low) return low;\n  if (x > high) return high;\n  return x;\n}",
        "Agenda\n* welcome\n* what went well and what did not\n* ideas for the summer party\n* anything else people want to raise",
        "The museum is free on the first day of each month and crowded on that day only. Regulars come in the week after, when the guards have time to talk.",
        "Hello everyone, the coffee machine is working again. Please empty the tray when the light blinks, and do not pour tea into the water tank, whatever the sticker says.",
        "[display]\nwrap = true\nnumbers = false\n\n[editor]\nindent = spaces\ntheme = paper",
        "When two threads wait for each other nothing moves and nothing fails, which is what makes the fault so hard to see. The cure is to take locks in the same order everywhere.",
    ),
    "es": (
        "El tren llegó tarde y nadie protestó, porque en la estación había sombra y una fuente. Un señor repartía naranjas a los viajeros.",
    ),
    "fr": (
        "Les enfants ont construit une cabane dans le tilleul. Elle penche un peu, mais elle a déjà survécu à deux orages et à la visite du chat.",
    ),
    "de": (
        "Der Bus hält nur, wenn jemand winkt. Wer neu im Tal ist, steht deshalb erst einmal eine Weile an der Straße und wundert sich.",
    ),
    "it": (
        "Il nonno aggiusta gli orologi di tutto il quartiere e non accetta denaro, soltanto un caffè e due chiacchiere.",
    ),
    "pt": (
        "O gato do farol dorme de dia e de noite acompanha o faroleiro, que lhe conta histórias de navios.",
    ),
    "ru": (
        "Зимой река замерзает, и дорога до соседней деревни становится вдвое короче. Рыбаки сидят у лунок и почти не разговаривают.",
    ),
    "ar": (
        "كان البستان هادئا في الصباح، والعصافير تنتقل بين الأغصان، والأطفال يجمعون التين في سلال صغيرة.",
    ),
    "hi": ("बारिश के बाद खेत हरे हो गए और गाँव के लोग झूले डालने लगे। शाम को सब मिलकर गीत गाते हैं।",),
    "tr": (
        "Pazar günü bütün mahalle parkta toplanır, çocuklar uçurtma uçurur, yaşlılar satranç oynar.",
    ),
    "zh": ("山里的小学只有一位老师，他教语文也教音乐。放学以后，学生们帮他给菜园浇水。",),
    "ja": (
        "山小屋の夜はとても静かで、風の音だけが聞こえます。薪を足しながら、私たちは昔の旅の話をしました。",
    ),
    "ko": (
        "가을이면 마을 사람들이 모여 감을 깎아 처마 밑에 매단다. 햇볕이 좋은 날에는 마당이 온통 주황색이다.",
    ),
}
