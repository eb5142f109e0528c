"""What a password is said to be and is none: required, valid, wrong, in several languages."""

from __future__ import annotations

import re

_STATES = frozenset(
    "required mandatory optional needed valid invalid correct incorrect wrong missing empty secret"
    " obligatorio obligatoria requerido requerida válido válida inválido inválida correcto correcta"
    " incorrecto incorrecta necesario necesaria vacío vacía opcional secreto secreta"
    " obligatoire requis requise valide invalide incorrecte exact exacte nécessaire facultatif vide"
    " erforderlich pflicht gültig ungültig falsch richtig korrekt notwendig leer geheim"
    " obbligatorio obbligatoria richiesto richiesta valido valida errato errata corretto corretta"
    " necessario necessaria facoltativo facoltativa vuoto vuota"
    " obrigatório obrigatória exigido exigida incorreto incorreta correto correta necessário"
    " necessária vazio vazia"
    " обязателен обязательна обязательно обязательный неверен неверный верен верный правильный"
    " неправильный действителен недействителен пуст пустой секретный нужен"
    " zorunlu gerekli geçerli geçersiz yanlış doğru boş gizli"
    " مطلوب مطلوبة صحيح صحيحة خاطئ خاطئة إلزامي إلزامية आवश्यक अनिवार्य गलत सही"
    " 必填 必须 必須 必需 必要 有效 无效 無效 错误 錯誤 正确 正確 有効 無効 不正 任意 正しい 間違い"
    " 필수 필요 유효 무효 오류 선택".split()
)
_NEGATIONS = frozenset("no non não nicht pas not не нет".split())
_WORD = re.compile(r"[^\W_]+(?:[\u0900-\u0dff]+[^\W_]*)*")


def is_state(words: str) -> bool:
    """Whether words between quotes say how something is: « obligatoire », "no válida"."""
    said = [word for word in _WORD.findall(words.lower()) if word not in _NEGATIONS]
    return bool(said) and all(word in _STATES for word in said)
