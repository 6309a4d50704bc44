package io.neardup.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** What documents are to be similar in: one of the kinds that the service brings, or a class of somebody else's. */
public sealed interface SignatureKind permits SignatureKind.Brought, SignatureKind.OfClass {

    /** A class of at most 100 packages: each repeat takes some of the stack. */
    Pattern CLASS_NAME = Pattern.compile("([\\w$]+\\.){1,100}[\\w$]+");

    /** As settings have it. */
    @Override
    String toString();

    /** Whether the signature is made of shingles. */
    default boolean comparesShingles() {
        return this == Brought.MINHASH || this == Brought.SIMHASH;
    }

    enum Brought implements SignatureKind {
        MINHASH,
        SIMHASH,
        TEXTPROFILE,
        /** Of normalized texts. */
        EXACT,
        /** Of texts as they came. */
        EXACT_BYTES;

        @Override
        public String toString() {
            return SettingType.spelled(name());
        }
    }

    record OfClass(String name) implements SignatureKind {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Of a value that names a kind or may name a class, which is not looked for. */
    static Optional<SignatureKind> of(String written) {
        for (Brought kind : Brought.values()) {
            if (kind.toString().equals(written)) {
                return Optional.of(kind);
            }
        }
        return CLASS_NAME.matcher(written).matches() ? Optional.of(new OfClass(written)) : Optional.empty();
    }
}
