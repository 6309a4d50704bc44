package io.neardup.service.http;

import io.neardup.config.ConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The token that requests must bring. Only a digest of it is kept. */
final class BearerToken {
    private static final String KEY = "neardup.http.token.file";
    private static final String SCHEME = "Bearer ";
    private static final int BYTES_MAX = 1_024;
    private static final Pattern FORM = Pattern.compile("[!-~]{16,512}");

    private final byte[] digest;

    private BearerToken(String token) {
        this.digest = digest(token);
    }

    /**
     * Reads the token from a file; white space around it does not count.
     *
     * @throws ConfigurationException if there is none
     */
    static BearerToken read(Path file) {
        String token = content(file).strip();
        if (!FORM.matcher(token).matches()) {
            throw problem(file, "a token of 16 to 512 visible ASCII characters", "another content");
        }
        return new BearerToken(token);
    }

    private static String content(Path file) {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw problem(file, "at most " + BYTES_MAX + " bytes", Files.size(file) + " bytes");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw problem(file, "a readable file", e.toString());
        }
    }

    private static ConfigurationException problem(Path file, String expected, String found) {
        return new ConfigurationException(List.of(KEY + " = " + file + ": expected " + expected + ", found " + found));
    }

    /**
     * Whether a header brings it. Takes as long for a wrong one as for the right one.
     *
     * @param authorization the header; null where there is none
     */
    boolean isIn(@Nullable String authorization) {
        String written = authorization == null ? "" : authorization;
        boolean bearer = written.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        String brought = bearer ? written.substring(SCHEME.length()) : "";
        return MessageDigest.isEqual(digest, digest(brought)) && bearer;
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.ISO_8859_1));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("expected SHA-256, as every JDK has it", e);
        }
    }
}
