package io.neardup.record;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whose certificates a client believes in place of those that the JDK knows. */
public final class Truststore {
    private static final String PEM = "-----BEGIN";

    private final SSLContext context;

    /**
     * Reads a file of certificates in PEM, or a PKCS12 or JKS.
     *
     * @param password of a PKCS12 or JKS; null for none
     * @throws IllegalArgumentException if it cannot be read, or has no certificates
     */
    public Truststore(Path file, @Nullable String password) {
        try {
            KeyStore certificates = read(file, password);
            if (certificates.size() == 0) {
                throw new IllegalArgumentException("expected certificates in it, found none");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(certificates);
            context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("expected certificates in PEM, or a PKCS12 or JKS, found " + e, e);
        }
    }

    @SuppressWarnings("NullAway") // A keystore may have no password: the JDK has no annotations of its own.
    private static KeyStore read(Path file, @Nullable String password) throws IOException, GeneralSecurityException {
        byte[] bytes = Files.readAllBytes(file);
        if (!new String(bytes, US_ASCII).contains(PEM)) {
            return KeyStore.getInstance(file.toFile(), password == null ? null : password.toCharArray());
        }
        KeyStore made = KeyStore.getInstance(KeyStore.getDefaultType());
        made.load(null, null);
        int number = 0;
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes))) {
            made.setCertificateEntry("certificate-" + number++, certificate);
        }
        return made;
    }

    SSLContext context() {
        return context;
    }
}
