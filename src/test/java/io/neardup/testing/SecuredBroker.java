package io.neardup.testing;

import io.neardup.testing.BrokerProcess.Listener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A broker that lets one user in by password over TLS, and to what ACLs allow alone. Tests themselves speak to it in
 * plain text, and may do everything.
 */
public final class SecuredBroker implements AutoCloseable {
    public static final String USER = "neardup-service";
    public static final String PASSWORD = "Pf7-marker-of-the-password";

    /** Of the key store of the broker, and of the trust stores. */
    public static final String STORE_PASSWORD = "Kq3-marker-of-the-store";

    private final BrokerProcess broker;
    private final Path trustStore;
    private final int securedPort;

    private SecuredBroker(BrokerProcess broker, Path trustStore, int securedPort) {
        this.broker = broker;
        this.trustStore = trustStore;
        this.securedPort = securedPort;
    }

    /** Starts a broker with a certificate of its own, made for this call. */
    public static SecuredBroker start(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Files.createDirectories(folder);
        Path keyStore = folder.resolve("broker.p12");
        Path trustStore = folder.resolve("trust.p12");
        makeKeys(keyStore);
        trust(
                KeyStore.getInstance(keyStore.toFile(), STORE_PASSWORD.toCharArray())
                        .getCertificate("broker"),
                trustStore);
        int port = BrokerProcess.freePort();
        BrokerProcess broker = new BrokerProcess(
                folder.resolve("broker"),
                BrokerJars.own(),
                BrokerProcess.alone(),
                List.of(new Listener("SASL_SSL", "SASL_SSL", port, port)),
                settings(keyStore));
        return new SecuredBroker(broker.start(), trustStore, port);
    }

    private static void makeKeys(Path store) throws IOException, InterruptedException {
        String subject = "-dname CN=127.0.0.1 -ext san=ip:127.0.0.1";
        keytool(store, STORE_PASSWORD, "-genkeypair -alias broker -keyalg EC -validity 2 " + subject);
    }

    /** Runs the keytool of this JDK on a key store, which it makes if there is none. */
    public static void keytool(Path store, String password, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments.split(" ", -1)));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", password));
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IOException("keytool " + arguments + ": exit code " + exit);
        }
    }

    private static void trust(Certificate certificate, Path store) throws IOException, GeneralSecurityException {
        KeyStore made = KeyStore.getInstance("PKCS12");
        made.load(null, null);
        made.setCertificateEntry("trusted", certificate);
        try (OutputStream out = Files.newOutputStream(store)) {
            made.store(out, STORE_PASSWORD.toCharArray());
        }
    }

    private static Map<String, String> settings(Path keyStore) {
        return Map.of(
                "sasl.enabled.mechanisms", "PLAIN",
                "listener.name.sasl_ssl.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_" + USER + "=\""
                                + PASSWORD + "\";",
                "ssl.keystore.type", "PKCS12",
                "ssl.keystore.location", keyStore.toString(),
                "ssl.keystore.password", STORE_PASSWORD,
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users", "User:ANONYMOUS");
    }

    /** Of the listener of the tests. */
    public String plainServers() {
        return broker.bootstrapServers();
    }

    /** One that does not know the broker's certificate. */
    public Path otherTrustStore() throws IOException, InterruptedException {
        Path store = trustStore.resolveSibling("other.p12");
        if (!Files.exists(store)) {
            makeKeys(store);
        }
        return store;
    }

    /** What a user has to set to get in, as lines of a properties file. */
    public List<String> clientSettings() {
        return List.of(
                "bootstrap.servers=127.0.0.1:" + securedPort,
                "security.protocol=SASL_SSL",
                "sasl.mechanism=PLAIN",
                "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + USER
                        + "\" password=\"" + PASSWORD + "\";",
                "ssl.truststore.location=" + trustStore,
                "ssl.truststore.password=" + STORE_PASSWORD,
                "replication.factor=1");
    }

    @Override
    public void close() {
        broker.close();
    }
}
