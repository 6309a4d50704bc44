package io.neardup.engine.text;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** The first 128 bits of SHA-256 (FIPS 180-4): names of any length in 16 bytes. For one thread. */
public final class Hash128 {
    private static final int BYTES = 16;

    private final MessageDigest digest;

    public Hash128() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** 16 bytes. */
    public byte[] of(byte[]... parts) {
        for (byte[] part : parts) {
            digest.update(part);
        }
        return Arrays.copyOf(digest.digest(), BYTES);
    }
}
