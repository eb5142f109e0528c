"""Roles, verbs of duty and requests of languages that write names with capitals, but English."""

from __future__ import annotations

ROLES = (
    # Spanish, French
    "encargada|encargado|tesorera|tesorero|contable|coordinador|coordinadora|médico|médica|doctora"
    "|fontanero|gestor|gestora|jefa|jefe|delegada|delegado|secretaria|secretario|abogada|abogado"
    "|tutora|administrador|administradora|enfermera|conserje|suplente|sustituta|sustituto"
    "|responsable|comptable|trésorier|trésorière|médecin|coordinateur|coordinatrice|gestionnaire"
    "|cheffe|chef|plombier|tuteur|tutrice|secrétaire|déléguée|délégué|référent|référente"
    "|remplaçante|remplaçant|infirmière|gardien|gardienne|avocate|avocat|notaire|chargée|chargé"
    # German
    "|leiter|leiterin|datenschutzbeauftragte|datenschutzbeauftragter|brandschutzbeauftragte"
    "|brandschutzbeauftragter|sicherheitsbeauftragte|sicherheitsbeauftragter|projektleiter"
    "|projektleiterin|teamleiter|teamleiterin|abteilungsleiter|abteilungsleiterin|schichtleiter"
    "|schichtleiterin|buchhalter|buchhalterin|steuerberater|steuerberaterin|hausmeister"
    "|hausmeisterin|kassenwart|kassenwartin|zahnarzt|zahnärztin|ärztin|arzt|hausärztin|klempner"
    "|elektriker|koordinator|koordinatorin|schriftführer|schriftführerin|vorsitzende|vorsitzender"
    "|vertretung|vertreter|vertreterin|nachfolger|nachfolgerin|klassenlehrer|klassenlehrerin"
    "|lehrerin|lehrer|anwalt|anwältin|therapeut|therapeutin|pfleger|pflegerin|sekretärin"
    "|verwalter|verwalterin|hausverwalter|trainerin|zuständig|verantwortlich"
    # Italian, Portuguese
    "|berater|beraterin|conseiller|conseillère|asesor|asesora|consulente|síndico|síndica|consultor"
    "|consultora|responsabile|contabile|commercialista|tesoriere|tesoriera|coordinatore|medico"
    "|dottoressa"
    "|idraulico|elettricista|segretaria|segretario|avvocata|avvocato|amministratore"
    "|amministratrice|custode|sostituta|sostituto|incaricata|incaricato|infermiera|capoturno"
    "|caposquadra|coordenador|coordenadora|contador|contadora|contabilista|tesoureiro|tesoureira"
    "|encanador|canalizador|eletricista|gerente|chefe|secretária|secretário|advogada|advogado"
    "|porteiro|zelador|zeladora|encarregada|encarregado|enfermeira|substituta|substituto"
    "|orientador|orientadora|professora|responsável|quem cuida|quem trata|quem gere|quem fica"
    "|quien lleva|quien se ocupa|quien se encarga|la persona encargada"
    # Russian, Turkish
    "|бухгалтер|бухгалтером|врач|врачом|координатор|координатором|сантехник|сантехником"
    "|руководитель|руководителем|куратор|куратором|менеджер|менеджером|секретарь|секретарём|юрист"
    "|юристом|электрик|электриком|заместитель|заместителем|ответственным|дежурный|дежурным"
    "|казначей|казначеем|наставник|наставником|заведующая|начальник|начальником|преподаватель"
    "|muhasebecimiz|müdürümüz|doktorumuz|doktorunuz|sorumlusu|sorumlumuz|koordinatörümüz"
    "|koordinatörü|avukatımız|avukatınız|yöneticimiz|yöneticisi|öğretmeniniz|öğretmenimiz"
    "|temsilcisi|temsilcimiz|danışmanınız|danışmanımız|tesisatçımız|kapıcımız|amirimiz|vekili"
).split("|")
COPULAS = (
    "será|es|es ahora|va a ser|pasa a ser|sera|est|est désormais|est maintenant|devient|reste|ist"
    "|wird|bleibt|ist künftig|ist ab sofort|ist jetzt|wird künftig|è|sarà|è ora|diventa|resta|é"
    "|passa a ser|vai ser|agora é|é agora|será agora|—|–|будет|теперь|теперь —|становится|станет"
    "|остаётся"
    "|назначен|назначена|artık|bundan sonra|yeni dönemde"
).split("|")
# Right behind a name, or right before one; a name behind them ends what they say.
AROUND = (
    "se ocupa|se encarga|se ocupará|se encargará|se hace cargo|se hará cargo|s'occupe|s’occupe"
    "|s'occupera|s’occupera|prend en charge|prendra en charge|kümmert sich|kümmert sich um"
    "|betreut künftig|si occupa|si occuperà|se ne occupa|cuida|cuidará|отвечает|отвечать будет"
    "|занимается|курирует|будет заниматься|займётся|назначен|назначена"
).split("|")
BEFORE = (
    "está a cargo de|queda a cargo de|es responsable de|es la responsable|es el responsable"
    "|llevará|lleva ahora|est en charge|est responsable|gère désormais|gérera|assure désormais"
    "|prend le relais|est chargée de|est chargé de|zuständig|verantwortlich|ist zuständig"
    "|ist verantwortlich|ist für|gestisce il|gestisce la|gestisce le|gestisce i|gestisce gli"
    "|gestirà|è responsabile|è incaricata|è incaricato|prende in carico|fica responsável"
    "|é responsável|fica com|está encarregado|está encarregada|toma conta|vai tratar de|trata das"
    "|trata dos|vai cuidar|sorumlu|sorumludur|sorumlu olacak|ilgileniyor|ilgilenecek|bakıyor"
    "|bakacak|yürütecek|yürütüyor|yönetecek|üstlenecek|üstleniyor|devralıyor|devralacak|görevli"
).split("|")
# These count where the sentence speaks of a beginning or of the reader.
HERE_ONLY = (
    "übernimmt|leitet|betreut|koordiniert|verwaltet|vertritt|verantwortet|macht|führt|asume|lleva"
    "|gestiona|coordina|dirige|gère|assure|dirige|coordonne|reprend|tient|gestisce|coordina|segue"
    "|guida|assume|coordena|gere|chefia|ведёт|ведет|возглавляет|возглавит|принимает|заменяет"
    "|yönetiyor|yönetecek|koordine"
).split("|")
BEGINNING = (
    r"\b(?:ab (?:sofort|jetzt|heute|morgen|mai|juni|juli|august|montag|dienstag|mittwoch"
    r"|donnerstag"
    r"|freitag|januar|februar|märz|april|september|oktober|november|dezember|dem|der|nächst\w+|\d)"
    r"|künftig|von nun an|bis auf weiteres|unser\w{0,2}|ihre?n?|desde (?:hoy|ahora|el|mañana)"
    r"|a partir d\w+|nuestr[oa]s?|de ahora en adelante|dès|désormais|dorénavant|à partir d\w+|nos"
    r"|notre|votre|vos|da (?:oggi|domani|lunedì|maggio|giugno|luglio|settembre|ottobre|gennaio)"
    r"|d['’]ora in poi|dal (?:mese|\d)|nostr[oaie]|vostr[oaie]|noss[oa]s?|voss[oa]s?"
    r"|daqui em diante"
    r"|теперь|отныне|с (?:понедельника|завтрашнего|сегодняшнего|нового|этого|следующ\w+|января"
    r"|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|\d)|наш\w{0,3}"
    r"|ваш\w{0,3}|artık|bundan (?:sonra|böyle)|gelecek|önümüzdeki|pazartesiden|bugünden"
    r"|yarından)\b"
)
ASKING = (
    "pregunta por|pregunte por|preguntad por|demandez|frag nach|fragen sie nach|fragt nach"
    "|chiedi di|chieda di|chiedete di|procure o|procure a|procura o|procura a|pergunte por"
    "|pergunte pela|pergunte pelo|спросите|спроси|обратись к|обращайся к"
    "|pregunta a|preguntad a|pregunte a|preguntar a|habla con|hablad con|hable con|contacta con"
    "|contacte con|escribe a|escribid a|escriba a|dirígete a|diríjase a|avisa a|avisad a|llama a"
    "|adressez-vous à|adresse-toi à|demandez à|demande à|contactez|contacte|écrivez à|écris à"
    "|voyez avec|voir avec|parlez à|parlez-en à|wenden sie sich an|wende dich an|wendet euch an"
    "|fragen sie|frag|fragt|melden sie sich bei|meldet euch bei|melde dich bei|schreiben sie an"
    "|sprechen sie mit|rivolgetevi a|rivolgersi a|rivolgiti a|chiedere a|si rivolga a|chiedi a"
    "|chiedete a"
    "|contattate|contatta|contattare|scrivi a|scrivete a|parla con|parlate con|fale com|falem com"
    "|fala com|fala com a|fala com o|fale com a|fale com o|falem com a|falem com o|pergunta à"
    "|pergunta ao"
    "|pergunta a|pergunte a|pergunte ao|pergunte à|procure|contate|entre em contato com"
    "|escreva para|dirija-se a|обращайтесь к|обратитесь к|обращаться к|спросите у|спрашивайте у"
    "|спроси у|пишите|напишите|звоните|позвоните|свяжитесь с"
).split("|")
# Behind a name with a suffix, in Turkish.
ASKED = "sorun|sorabilirsiniz|danışın|başvurun|yazın|ulaşın|haber verin|iletin|gönderin".split("|")
DOING = (  # c'est NAME qui
    r"qui (?:les? |la |l['’])?(?:s['’]occupe|gère|prend|tient|assure|signe|valide|reprend"
    r"|s['’]en occupe|coordonne|garde|détient|conserve)"
    r"|qui a (?:les? |la )(?:clés?|clefs?|double)|quien (?:lleva|se ocupa|se encarga|firma"
    r"|gestiona|atiende|tiene|guarda)"
    r"|que (?:se ocupa|se encarga|lleva|cuida|trata|gere)"
    r"|che (?:si occupa|gestisce|segue|firma|tiene|custodisce)"
    r"|a (?:occuparsi|gestire)"
)
IT_IS = ("c'est", "c’est", "es", "è", "é", "sarà", "será", "sera")
