package io.neardup.config;

import java.util.Locale;
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

    /** The kinds that the service brings. */
    enum Brought implements SignatureKind {
        MINHASH,
        SIMHASH,
        TEXTPROFILE,
        EXACT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A class that implements a family. */
    record OfClass(String name) implements SignatureKind {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Whether a value names a kind or may name a class, which is not looked for. */
    static boolean isValid(String written) {
        return CLASS_NAME.matcher(written).matches()
                || Expected.names(Brought.class).contains(written);
    }

    /** Of a valid value. */
    static SignatureKind of(String written) {
        return written.indexOf('.') >= 0 ? new OfClass(written) : Expected.constant(Brought.class, written);
    }
}
