package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The first 128 bits of SHA-256 (FIPS 180-4): names of any length in 16 bytes. For one thread. */
public final class Hash128 {
    private static final int BYTES = 16;
    private static final int FINGERPRINT_BYTES = 8;

    private final MessageDigest digest = sha256();

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public byte[] of(byte[]... parts) {
        for (byte[] part : parts) {
            digest.update(part);
        }
        return Arrays.copyOf(digest.digest(), BYTES);
    }

    /** Adds a part of what {@link #fingerprint()} is of. */
    public void add(String part) {
        digest.update(part.getBytes(UTF_8));
    }

    /** 16 hexadecimal digits that tell the parts added, in their order, from others in practice. */
    public String fingerprint() {
        return HexFormat.of().formatHex(digest.digest(), 0, FINGERPRINT_BYTES);
    }
}
