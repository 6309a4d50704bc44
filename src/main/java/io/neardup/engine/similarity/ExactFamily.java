package io.neardup.engine.similarity;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.NormalizedText;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Exact duplicates only: similarity 1 for texts of equal MD5 (RFC 1321), else 0. Over the raw bytes it is Apache
 * Nutch's {@code MD5Signature}, with one deviation: Nutch takes the page's address where there is no content; here such
 * a text cannot be signed.
 */
public final class ExactFamily extends EqualityFamily {
    /** Version of signatures and evidence; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private final Form form;
    private final LetterCase letterCase;

    /** @param letterCase of normalized texts; raw bytes are as they are */
    public ExactFamily(Form form, LetterCase letterCase) {
        super(Similarity.EQUAL, Similarity.NONE);
        this.form = form;
        this.letterCase = letterCase;
    }

    /** In what form texts are compared. */
    public enum Form {
        /** Byte by byte. */
        RAW,
        /** In the form of {@link NormalizedText}, where white space and the like does not matter. */
        NORMALIZED
    }

    @Override
    Digester digester() {
        Md5 md5 = new Md5();
        if (form == Form.RAW) {
            return md5::of;
        }
        NormalizedBuffer normalized = new NormalizedBuffer(letterCase);
        return (utf8, from, to) -> {
            normalized.set(utf8, from, to);
            return md5.of(normalized.array(), 0, normalized.length());
        };
    }

    @Override
    Digester normalizedDigester() {
        return form == Form.NORMALIZED ? new Md5()::of : super.normalizedDigester();
    }

    @Override
    public boolean readsNormalizedText() {
        return form == Form.NORMALIZED;
    }

    @Override
    public Map<String, String> identity() {
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("signature.version", String.valueOf(VERSION));
        identity.put("exact.text", form.toString());
        if (form == Form.NORMALIZED) {
            identity.put("normalized-text.version", String.valueOf(NormalizedText.VERSION));
            identity.put("text.case", letterCase.toString());
        }
        return identity;
    }
}
