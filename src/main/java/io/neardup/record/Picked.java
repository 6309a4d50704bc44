package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pass over a value has found where pointers lead, whatever the format: the document of it, in the end. What
 * was found before an error stays readable.
 */
final class Picked {
    /** The kind of a null, which is as if nothing were there. */
    static final String NULL = "null";

    private final Pointers pointers;
    private final TextKind textKind;
    private final Name id = new Name();
    private final Name scope = new Name();
    /** The texts found, by their number. */
    private final @Nullable RawText[] texts;

    private int notTextual = PointerTree.NO_TEXT;
    private String notTextualKind = "";

    /** A string or an integer that names something, if there is one. */
    private static final class Name {
        private @Nullable String kind;
        private @Nullable String text;

        void requireText(Reason reason, @Nullable String pointer) throws RejectedException {
            if (text == null && kind != null && !kind.equals(NULL)) {
                throw new RejectedException(
                        reason, "expected a string or an integer at " + pointer + ", found " + kind);
            }
        }
    }

    /** What goes over a value, and takes what it finds. */
    interface Pass {
        void over(Picked picked) throws RejectedException;
    }

    Picked(Pointers pointers, TextKind textKind) {
        this.pointers = pointers;
        this.textKind = textKind;
        this.texts = new RawText[pointers.texts().size()];
    }

    /** The document of a record, or why it is none, with the id as far as it was found. */
    static DocumentReader.Result read(InputRecord record, Pointers pointers, TextKind textKind, Pass pass) {
        Picked picked = new Picked(pointers, textKind);
        try {
            picked.id.text = pointers.idInHeader(record);
            picked.scope.text = pointers.scopeInHeader(record);
            pass.over(picked);
            return picked.document(record);
        } catch (RejectedException e) {
            return e.rejection(Document.carriedId(picked.id.text));
        }
    }

    /** Whether the text is looked for at a place, as an array of numbers. */
    boolean wantsNumbers(PointerTree there) {
        return there.text() != PointerTree.NO_TEXT && textKind == TextKind.NUMBERS;
    }

    /** Whether the text is looked for at a place, as a string. */
    boolean wantsString(PointerTree there) {
        return there.text() != PointerTree.NO_TEXT && textKind != TextKind.NUMBERS;
    }

    /**
     * Takes what stands at a place; ignored where nothing is looked for.
     *
     * @param kind of it, with its article
     * @param name null where it is neither a string nor an integer
     * @param text null where it is not what a text is made of
     */
    void take(PointerTree there, String kind, @Nullable String name, @Nullable RawText text) {
        if (there.isId()) {
            id.kind = kind;
            id.text = name;
        }
        if (there.isScope()) {
            scope.kind = kind;
            scope.text = name;
        }
        if (there.text() != PointerTree.NO_TEXT) {
            if (text != null) {
                texts[there.text()] = text;
            } else if (!kind.equals(NULL)) {
                notTextual = there.text();
                notTextualKind = kind;
            }
        }
    }

    /** What was found as the id, as it is. */
    @Nullable
    String name() {
        return id.text;
    }

    private Document document(InputRecord record) throws RejectedException {
        id.requireText(Reason.ID_NOT_TEXT, pointers.id());
        String resolved = Document.idOf(id.text, record);
        id.text = resolved;
        Document.requireIdFits(resolved);
        scope.requireText(Reason.SCOPE_NOT_TEXT, pointers.scope());
        return Document.of(resolved, text(), scope.text, () -> textKind.place(String.join(" or ", pointers.texts())));
    }

    /** The texts found, in the order of their pointers: strings joined by line feeds, numbers by spaces. */
    private RawText text() throws RejectedException {
        if (notTextual != PointerTree.NO_TEXT) {
            throw new RejectedException(
                    Reason.TEXT_NOT_STRING,
                    "expected " + textKind.description() + " at "
                            + pointers.texts().get(notTextual) + ", found " + notTextualKind);
        }
        List<RawText> found = new ArrayList<>(texts.length);
        for (RawText text : texts) {
            if (text != null) {
                found.add(textKind.text(text));
            }
        }
        if (found.isEmpty()) {
            throw new RejectedException(
                    Reason.NO_TEXT,
                    "expected " + textKind.description() + " at " + String.join(" or ", pointers.texts())
                            + ", found none");
        }
        return RawText.joined(found, textKind == TextKind.NUMBERS ? ' ' : '\n');
    }
}
