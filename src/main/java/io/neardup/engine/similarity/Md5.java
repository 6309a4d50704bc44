package io.neardup.engine.similarity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** MD5 (RFC 1321) of at least one byte. For one thread. */
final class Md5 {
    static final int BYTES = 16;

    private final MessageDigest digest;

    Md5() {
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no MD5: expected one that has, as the platform demands", e);
        }
    }

    /** @throws UnsignableException when there is no byte: empty texts would all match each other */
    byte[] of(byte[] bytes, int from, int to) throws UnsignableException {
        if (from == to) {
            throw new UnsignableException("Expected a text; found none, or white space alone");
        }
        digest.update(bytes, from, to - from);
        return digest.digest();
    }
}
