"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

PARAGRAPHS: dict[str, tuple[str, ...]] = {
    "en": (
        "The lock keeper says that the canal used to freeze every winter and that people skated to church. He is not old enough to have seen it, but he tells it as if he had, and nobody minds.",
        "Release notes: faster start, fewer crashes on small screens, and the dark theme is finally dark. Thanks to everybody who reported the flickering cursor; we could never reproduce it, and yet it is gone.",
        "fn shorten(text: &str, width: usize) -> String {\n    if text.len() <= width { return text.to_string(); }\n    let mut out: String = text.chars().take(width).collect();\n    out.push('…');\n    out\n}",
        "Dear neighbours, the drains will be flushed next week between breakfast and noon. Please keep your windows shut, run the tap for a moment afterwards, and do not worry about the smell.",
        "1. Warm the oven.\n2. Rub butter into flour until it looks like crumbs.\n3. Add enough milk to hold it together, no more.\n4. Cut rounds, bake until golden, eat the same day.",
        "A queue is fair but slow, a stack is fast but forgets the patient. Most schedulers are neither: they keep several queues, move tasks between them by how they behave, and call the result a policy.",
        "server:\n  access_log: off\n  compress: yes\n  workers: auto\n  timeouts:\n    read: 30s\n    write: 30s\n  pages:\n    not_found: missing.html",
        "INFO starting\nINFO settings loaded\nWARN no cache found, building one\nINFO ready\nINFO request served\nINFO request served\nINFO shutting down",
        "Q: Do I need a ticket for the dog?\nA: No, dogs travel free when they sit on the floor. On a seat they count as a child, and the conductor decides which child.",
        "| day | morning | evening |\n|---|---|---|\n| Monday | soup | bread |\n| Tuesday | rice | soup |\n| Wednesday | fish | bread |",
        "The second half was better. Our side kept the ball, passed it wide, and let the others run; by the end the visitors were too tired to complain about the referee, although some of them tried.",
        "From the glossary. Margin: the part of a page that nobody writes on, except readers. Gutter: the part of a margin that nobody can write on, because the book will not open that far.",
        "<section>\n  <h2>Visiting the garden</h2>\n  <p>The garden is open from spring to late autumn. Children are welcome, ladders are not.</p>\n</section>",
        "She keeps bees on the roof of the town hall. The honey tastes of lime trees in summer and of nothing in particular in autumn, and the mayor gives it to guests who would have preferred wine.",
        "lol no, the meeting was about the meeting. we agreed to meet again. someone brought pears though, so not a total loss. see you at the station? bring the big umbrella",
        "Moths are drawn to light, it is said, because they steer by the moon and mistake a lamp for it. Others hold that they turn their backs to whatever is brightest, which near a lamp makes them circle.",
    ),
    "es": (
        "En la plaza han puesto bancos nuevos y los mayores no se fían de ellos: dicen que son bajos, que son fríos y que miran hacia el lado equivocado. Aun así, a las seis ya no queda sitio.",
        "Acta de la reunión: se habló de la fuente, de las palomas y otra vez de la fuente. Se aprobó dejar las cosas como están.",
        "El panadero del pueblo toca el clarinete en la banda y llega siempre tarde a los ensayos, pero trae rosquillas y se le perdona.",
    ),
    "fr": (
        "Le marché du samedi s'étire jusqu'à l'église. On y trouve du miel, des paniers, des chaussettes, et un monsieur qui raconte la même histoire de pêche depuis toujours.",
        "Compte rendu : la salle était froide, le café aussi. On reparlera du chauffage quand il fera chaud.",
        "Ma tante range ses livres par couleur. Elle prétend que les bleus se lisent mieux l'hiver, et personne n'a jamais osé vérifier.",
    ),
    "de": (
        "Der Bus fährt nur bei schönem Wetter, behauptet die Wirtin, und bei schlechtem Wetter braucht ihn ohnehin keiner. Die Gäste lachen und gehen zu Fuß.",
        "Protokoll: Der Rasen bleibt kurz, der Zaun bleibt schief. Über die Farbe der Bank wird beim nächsten Mal gestritten.",
        "Mein Großvater reparierte Uhren und kam überall zu spät. Er sagte, man könne nicht beides können.",
    ),
    "it": (
        "Il treno locale si ferma a ogni casello, e qualche volta anche dove il casello non c'è. I viaggiatori scendono a cogliere more, il capotreno aspetta.",
        "Nel cortile c'è un fico che nessuno ha piantato. Fa più frutti di tutti gli altri messi insieme.",
        "La maestra spiegava le nuvole con la panna montata, e noi bambini tornavamo a casa affamati e preparatissimi.",
    ),
    "pt": (
        "A banda ensaia na garagem e os vizinhos já conhecem as músicas de cor. Quando o baterista falta, alguém da rua ocupa o lugar dele.",
        "No inverno a pousada fecha e os donos viajam para visitar outras pousadas. Voltam sempre com ideias que nunca põem em prática.",
        "A avó guardava os botões numa lata de biscoitos, e a decepção de abrir aquela lata passou de geração em geração.",
    ),
    "ru": (
        "Трамвай ходит до старого парка и обратно. Кондуктор знает всех по именам и напоминает рассеянным, где им выходить.",
        "На собрании опять спорили о скамейках. Решили покрасить, но не решили в какой цвет.",
        "Кот спит на печи и просыпается только тогда, когда режут рыбу. Откуда он узнаёт об этом, никто не понимает.",
    ),
    "ar": (
        "يفتح الخباز دكانه قبل الفجر، وتصل رائحة الخبز إلى آخر الحارة فيستيقظ الأطفال دون أن يناديهم أحد.",
        "ناقش الاجتماع لون المقاعد ثم لون الجدران، ثم اتفق الجميع على تأجيل الألوان كلها.",
        "كان جدي يقول إن البحر لا يعيد ما يأخذ، لكنه كان يعود كل مساء بسلة مليئة.",
    ),
    "hi": (
        "गली के नुक्कड़ पर चाय की दुकान है जहाँ अख़बार से पहले ख़बर पहुँच जाती है। दुकानदार सबकी सुनता है और किसी की नहीं मानता।",
        "बैठक में पंखे पर बहस हुई। पंखा धीरे चले या तेज़, यह अगली बैठक में तय होगा।",
        "दादी पतंग उड़ाने में सबसे आगे थीं, और आज भी छत पर पहुँचते ही उनकी उँगलियाँ हवा का रुख़ पहचान लेती हैं।",
    ),
    "tr": (
        "Köyün fırını sabah ezanından önce yanar. Ekmek kokusu yokuşu çıkınca herkes uyanır, saate bakan olmaz.",
        "Toplantıda yine bankların rengi konuşuldu. Sonunda herkes ayakta durmaya razı oldu.",
        "Dedem balığa gider, balık tutmadan ama hep keyifli dönerdi. Denize bakmanın da bir iş olduğunu söylerdi.",
    ),
    "zh": (
        "巷口的裁缝铺开了很多年，老板一边踩缝纫机一边听戏，谁来取衣服都得等他听完这一段。",
        "会上又讨论了长椅的颜色，大家各执一词，最后决定先喝茶。",
        "外婆种的丝瓜爬过了墙，邻居摘了送回来，外婆又做成汤端过去。",
    ),
    "ja": (
        "路面電車は坂の途中で必ず一度止まります。運転手さんが言うには、景色を見るためだそうです。",
        "会議ではまたベンチの色が話題になり、結局、塗らないことに決まりました。",
        "祖母の漬物は誰が真似をしても同じ味になりません。石が違うのだと、祖母は笑っていました。",
    ),
    "ko": (
        "시장 끝 국숫집은 간판이 없지만 모르는 사람이 없다. 주인은 손님 얼굴만 보고도 양을 맞춘다.",
        "회의에서는 또 의자 색을 두고 다투다가 결국 서서 하기로 했다.",
        "할아버지는 낚시를 가서 빈손으로 돌아와도 늘 즐거워하셨다. 바다를 보는 것도 일이라고 하셨다.",
    ),
}
