"""Phrases of Western European languages: Spanish, French, German, Italian, Portuguese, Dutch."""

from __future__ import annotations

from .phrases import Phrases, labels

SPANISH = Phrases(
    {"m": {"the": "el "}, "f": {"the": "la "}},
    labels(
        "m código de la puerta|m código de acceso|f clave de API|f contraseña|m ID de sesión|"
        "m número de pedido|m número de seguimiento|m número de habitación|m número de teléfono|"
        "m número de cuenta|m número de factura|m token de acceso|f dirección del servidor|"
        "m puerto|m nombre de usuario|m PIN|m número de billete|f matrícula|f clave de licencia|"
        "m código de activación|m número de cliente|m número de vuelo|m localizador de la reserva|"
        "f contraseña del wifi|f ruta del archivo de configuración|m commit|f versión|"
        "f fecha de la cita|m número de serie|m código de confirmación"
    ),
    (
        "{Label}: {value}",
        "{The}{label} es {value}.",
        "{The}{label} es: {value}",
        "Recuerda que {the}{label} es {value}.",
        "Me dijeron que {the}{label} es {value}.",
        "Nota: {the}{label} es {value}.",
        "{value} es {the}{label}.",
        "Apunta {the}{label}: {value}",
        "Mi {label} es {value}.",
        "Ana me dijo por teléfono que {the}{label} era {value}.",
        "Por cierto, {the}{label} ahora es {value}, por si te hace falta.",
        "Aquí tienes {the}{label}: {value}",
        "IMPORTANTE: {the}{label} es {value}",
    ),
    (
        "\n\n¿Cuál es {the}{label}?",
        "\n\n¿Cuál era {the}{label}?",
        "\n\nDime {the}{label}.",
        "\n\nPregunta: ¿Cuál es {the}{label}?\nRespuesta:",
        "\n\n{The}{label} es:",
        "\n\n¿Me recuerdas {the}{label}?",
        "\n\nRepite {the}{label}:",
        "\n\n¿Qué {label} se menciona en el texto anterior?",
        "\n\nSegún el texto, ¿cuál es {the}{label}?",
        "\nP: ¿Cuál es {the}{label}?\nR:",
    ),
)

FRENCH = Phrases(
    {
        "m": {"the": "le ", "which": "quel", "my": "mon "},
        "f": {"the": "la ", "which": "quelle", "my": "ma "},
        "me": {"the": "l'", "which": "quel", "my": "mon "},
        "fe": {"the": "l'", "which": "quelle", "my": "mon "},
    },
    labels(
        "m code de la porte|m code d'accès|f clé d'API|m mot de passe|me identifiant de session|"
        "m numéro de commande|m numéro de suivi|m numéro de chambre|m numéro de téléphone|"
        "m numéro de compte|m numéro de facture|m jeton d'accès|fe adresse du serveur|m port|"
        "m nom d'utilisateur|m code PIN|m numéro de billet|f plaque d'immatriculation|"
        "f clé de licence|m code d'activation|m numéro de client|m numéro de vol|"
        "f référence de réservation|m mot de passe du Wi-Fi|m chemin du fichier de configuration|"
        "m commit|f version|f date du rendez-vous|m numéro de série|m code de confirmation"
    ),
    (
        "{Label} : {value}",
        "{Label}: {value}",
        "{The}{label} est {value}.",
        "{The}{label} est : {value}",
        "Retiens bien que {the}{label} est {value}.",
        "On m'a dit que {the}{label} est {value}.",
        "À noter : {the}{label} est {value}.",
        "{value}, c'est {the}{label}.",
        "Voici {the}{label} : {value}",
        "{My}{label} est {value}.",
        "Pour rappel, {the}{label} est désormais {value}.",
        "Julie m'a confirmé que {the}{label} était {value}.",
        "IMPORTANT : {the}{label} est {value}",
    ),
    (
        "\n\n{Which} est {the}{label} ?",
        "\n\n{Which} était {the}{label} ?",
        "\n\nC'est quoi, {the}{label} ?",
        "\n\nDonne-moi {the}{label}.",
        "\n\nQuestion : {which} est {the}{label} ?\nRéponse :",
        "\n\n{The}{label} est :",
        "\n\nPeux-tu me rappeler {the}{label} ?",
        "\n\nRépète {the}{label} :",
        "\n\nD'après le texte, {which} est {the}{label} ?",
        "\nQ : {which} est {the}{label} ?\nR :",
    ),
)

GERMAN = Phrases(
    {
        "m": {"the": "der ", "obj": "den ", "my": "mein ", "which": "welcher "},
        "f": {"the": "die ", "obj": "die ", "my": "meine ", "which": "welche "},
        "n": {"the": "das ", "obj": "das ", "my": "mein ", "which": "welches "},
    },
    labels(
        "m Türcode|m Zugangscode|m API-Schlüssel|n Passwort|f Sitzungs-ID|f Bestellnummer|"
        "f Sendungsnummer|f Zimmernummer|f Telefonnummer|f Kontonummer|f Rechnungsnummer|"
        "n Zugriffstoken|f Serveradresse|m Port|m Benutzername>Benutzernamen|f PIN|f Ticketnummer|"
        "n Kennzeichen|m Lizenzschlüssel|m Aktivierungscode|f Kundennummer|f Flugnummer|"
        "f Buchungsnummer|n WLAN-Passwort|m Pfad der Konfigurationsdatei|m Commit|f Version|"
        "n Datum des Termins|f Seriennummer|m Bestätigungscode"
    ),
    (
        "{Label}: {value}",
        "{The}{label} ist {value}.",
        "{The}{label} lautet {value}.",
        "{The}{label} lautet: {value}",
        "Merk dir, dass {the}{label} {value} ist.",
        "Mir wurde gesagt, dass {the}{label} {value} lautet.",
        "Hinweis: {The}{label} lautet {value}.",
        "{value} ist {the}{label}.",
        "Notiere dir bitte {obj}{acc}: {value}",
        "{My}{label} ist {value}.",
        "Hier ist {the}{label}: {value}",
        "Anna hat mir geschrieben, {the}{label} sei {value}.",
        "WICHTIG: {The}{label} ist {value}",
    ),
    (
        "\n\nWie lautet {the}{label}?",
        "\n\nWas ist {the}{label}?",
        "\n\nNenne mir {obj}{acc}.",
        "\n\nFrage: Wie lautet {the}{label}?\nAntwort:",
        "\n\n{The}{label} lautet:",
        "\n\nKannst du mir {obj}{acc} sagen?",
        "\n\nWiederhole {obj}{acc}:",
        "\n\nWie lautet laut Text {the}{label}?",
        "\n\n{Which}{label} steht im Text oben?",
        "\nF: Wie war {the}{label}?\nA:",
    ),
)

ITALIAN = Phrases(
    {
        "m": {"the": "il ", "my": "il mio "},
        "f": {"the": "la ", "my": "la mia "},
        "e": {"the": "l'", "my": "il mio "},
    },
    labels(
        "m codice della porta|m codice di accesso|f chiave API|f password|e ID di sessione|"
        "m numero d'ordine|m codice di tracciamento|m numero della stanza|m numero di telefono|"
        "m numero di conto|m numero della fattura|m token di accesso|e indirizzo del server|"
        "f porta|m nome utente|m PIN|m numero del biglietto|f targa|f chiave di licenza|"
        "m codice di attivazione|m codice cliente|m numero del volo|m codice di prenotazione|"
        "f password del Wi-Fi|m percorso del file di configurazione|m commit|f versione|"
        "f data dell'appuntamento|m numero di serie|m codice di conferma"
    ),
    (
        "{Label}: {value}",
        "{The}{label} è {value}.",
        "{The}{label} è: {value}",
        "Ricorda che {the}{label} è {value}.",
        "Mi hanno detto che {the}{label} è {value}.",
        "Nota: {the}{label} è {value}.",
        "{value} è {the}{label}.",
        "Segnati {the}{label}: {value}",
        "{My}{label} è {value}.",
        "Ecco {the}{label}: {value}",
        "Marco mi ha scritto che {the}{label} è {value}.",
        "A proposito, adesso {the}{label} è {value}.",
        "IMPORTANTE: {the}{label} è {value}",
    ),
    (
        "\n\nQual è {the}{label}?",
        "\n\nQual era {the}{label}?",
        "\n\nDimmi {the}{label}.",
        "\n\nDomanda: Qual è {the}{label}?\nRisposta:",
        "\n\n{The}{label} è:",
        "\n\nPuoi ricordarmi {the}{label}?",
        "\n\nRipeti {the}{label}:",
        "\n\nSecondo il testo, qual è {the}{label}?",
        "\n\nQuale {label} compare nel testo qui sopra?",
        "\nD: Qual è {the}{label}?\nR:",
    ),
)

PORTUGUESE = Phrases(
    {"m": {"the": "o ", "my": "meu "}, "f": {"the": "a ", "my": "minha "}},
    labels(
        "m código da porta|m código de acesso|f chave de API|f senha|m ID da sessão|"
        "m número do pedido|m código de rastreamento|m número do quarto|m número de telefone|"
        "m número da conta|m número da fatura|m token de acesso|m endereço do servidor|f porta|"
        "m nome de usuário|m PIN|m número do bilhete|f placa do carro|f chave de licença|"
        "m código de ativação|m número do cliente|m número do voo|m código da reserva|"
        "f senha do Wi-Fi|m caminho do arquivo de configuração|m commit|f versão|"
        "f data da consulta|m número de série|m código de confirmação"
    ),
    (
        "{Label}: {value}",
        "{The}{label} é {value}.",
        "{The}{label} é: {value}",
        "Lembre-se de que {the}{label} é {value}.",
        "Me disseram que {the}{label} é {value}.",
        "Observação: {the}{label} é {value}.",
        "{value} é {the}{label}.",
        "Anote {the}{label}: {value}",
        "{My}{label} é {value}.",
        "Aqui está {the}{label}: {value}",
        "A Marina me contou que {the}{label} é {value}.",
        "Aliás, agora {the}{label} é {value}.",
        "IMPORTANTE: {the}{label} é {value}",
    ),
    (
        "\n\nQual é {the}{label}?",
        "\n\nQual era {the}{label}?",
        "\n\nMe diga {the}{label}.",
        "\n\nPergunta: Qual é {the}{label}?\nResposta:",
        "\n\n{The}{label} é:",
        "\n\nPode me lembrar {the}{label}?",
        "\n\nRepita {the}{label}:",
        "\n\nDe acordo com o texto, qual é {the}{label}?",
        "\n\nQue {label} aparece no texto acima?",
        "\nP: Qual é {the}{label}?\nR:",
    ),
)

DUTCH = Phrases(
    {
        "d": {"the": "de ", "which": "welke "},
        "h": {"the": "het ", "which": "welk "},
    },
    labels(
        "d deurcode|d toegangscode|d API-sleutel|h wachtwoord|d sessie-ID|h bestelnummer|"
        "h trackingnummer|h kamernummer|h telefoonnummer|h rekeningnummer|h factuurnummer|"
        "h toegangstoken|h serveradres|d poort|d gebruikersnaam|d pincode|h ticketnummer|"
        "h kenteken|d licentiesleutel|d activeringscode|h klantnummer|h vluchtnummer|"
        "h boekingsnummer|h wifi-wachtwoord|h pad van het configuratiebestand|d commit|d versie|"
        "d datum van de afspraak|h serienummer|d bevestigingscode"
    ),
    (
        "{Label}: {value}",
        "{The}{label} is {value}.",
        "{The}{label} is: {value}",
        "Onthoud dat {the}{label} {value} is.",
        "Ze zeiden dat {the}{label} {value} is.",
        "Let op: {the}{label} is {value}.",
        "{value} is {the}{label}.",
        "Noteer {the}{label}: {value}",
        "Mijn {label} is {value}.",
        "Hier is {the}{label}: {value}",
        "Sanne vertelde me dat {the}{label} nu {value} is.",
        "BELANGRIJK: {the}{label} is {value}",
    ),
    (
        "\n\nWat is {the}{label}?",
        "\n\nWat was {the}{label}?",
        "\n\nGeef me {the}{label}.",
        "\n\nVraag: Wat is {the}{label}?\nAntwoord:",
        "\n\n{The}{label} is:",
        "\n\nKun je me {the}{label} geven?",
        "\n\nHerhaal {the}{label}:",
        "\n\nWat is volgens de tekst {the}{label}?",
        "\n\n{Which}{label} staat er in de tekst hierboven?",
        "\nV: Wat is {the}{label}?\nA:",
    ),
)
