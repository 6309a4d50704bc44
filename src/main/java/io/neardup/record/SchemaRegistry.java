package io.neardup.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.neardup.record.Rejection.RejectedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Schemas by their ids, from a registry with the REST API of Confluent's, which others have too. A schema of an id
 * never changes, so each is fetched once, and the last {@value #SCHEMAS_MAX} that were used are kept. That an id is
 * unknown is what the registry itself says, by its code {@value #NO_SCHEMA}, and counts for a minute: it may be
 * registered later, or the registry have been a copy that lags. Any 404 says it of a GUID where ids are known. Whatever
 * else goes wrong, the registry cannot be reached: that may be mended, and says nothing of a record. An answer stays
 * until another comes, for records that were let through by it.
 *
 * <p>Nothing but GET is asked for. Safe for use by several threads.
 */
public final class SchemaRegistry {
    /** A topic has some tens of them; more are only asked for by somebody who makes ids up. */
    static final int SCHEMAS_MAX = 10_000;

    private static final int NO_SCHEMA = 40403;
    private static final int REFERENCES_MAX = 1_000;
    private static final int FETCHES_MAX = 4;
    /** For who cannot do anything else meanwhile. */
    private static final long WAITING_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long WAITING_MILLIS = 100;
    private static final long UNKNOWN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long NEVER_NANOS = TimeUnit.DAYS.toNanos(36_500);
    /** Nobody waits any more for what was not asked for again so long. */
    private static final long ASKED_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final Duration ANSWERING = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PEM = "-----BEGIN";
    private static final Pattern BEARER = Pattern.compile("Bearer [\\x21-\\x7E]+");
    private static final Pattern BASIC = Pattern.compile("[^:\\p{Cntrl}]+:\\P{Cntrl}*");

    private final String url;
    private final @Nullable Path credentials;
    private final LongSupplier nanos;
    /** By id; those that were asked for last come last. */
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Entry> eldest) {
            return size() > SCHEMAS_MAX;
        }
    };

    private final ExecutorService fetching = Executors.newFixedThreadPool(FETCHES_MAX, work -> {
        Thread thread = new Thread(work, "neardup-schemas");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient client;

    /** The registry did not say what a schema is, nor that there is none. */
    public static final class UnreachableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnreachableException(String message) {
            super(message);
        }
    }

    /**
     * What an id stands for.
     *
     * @param schema null where there is none in Avro
     * @param detail why there is none
     */
    private record Answer(@Nullable Schema schema, Reason reason, String detail) {}

    /** What is known of an id, and what is done to know it. */
    private static final class Entry {
        /** The last that was given. */
        private @Nullable Answer answer;
        /** Why the last request had no answer; empty where it had, or none is over. */
        private String problem = "";

        private boolean isRunning;
        /** From when on it is asked for anew. */
        private long nextNanos;
        /** When somebody last wanted it. */
        private long askedNanos;

        Entry(long nextNanos) {
            this.nextNanos = nextNanos;
        }
    }

    /**
     * @param url where its API begins; for Confluent's the address alone, for Apicurio's with {@code /apis/ccompat/v7}
     * @param credentials a file with {@code user:password}, or {@code Bearer} and a token, read at each request; null
     *     for none
     * @param trust whom to trust, as {@link #trusting} has it; null for whom the JDK trusts
     * @throws IllegalArgumentException if the file of the credentials has something else
     */
    public SchemaRegistry(String url, @Nullable Path credentials, @Nullable SSLContext trust) {
        this(url, credentials, trust, System::nanoTime);
    }

    /** @param nanos the clock that measures time, from any beginning */
    SchemaRegistry(String url, @Nullable Path credentials, @Nullable SSLContext trust, LongSupplier nanos) {
        this.url = url.replaceFirst("/+$", "");
        this.credentials = credentials;
        this.nanos = nanos;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECTING);
        this.client = (trust == null ? builder : builder.sslContext(trust)).build();
        try {
            authorization();
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Whether it is known what an id stands for. */
    synchronized boolean isKnown(String schema) {
        Entry entry = entries.get(schema);
        return entry != null && entry.answer != null;
    }

    /**
     * Whether the answer for this id is known and current. Else starts a fetch, and repeats failed ones only as long as
     * this is called.
     */
    synchronized boolean isKnownElseFetch(String schema) {
        long now = nanos.getAsLong();
        Entry entry = entries.computeIfAbsent(schema, id -> new Entry(now));
        entry.askedNanos = now;
        boolean isDue = now - entry.nextNanos >= 0;
        if (isDue && !entry.isRunning) {
            entry.isRunning = true;
            fetching.execute(() -> fetch(schema, entry));
        }
        return !isDue && entry.problem.isEmpty() && entry.answer != null;
    }

    private void fetch(String schema, Entry entry) {
        Answer found = null;
        String problem = "";
        try {
            found = request(schema);
        } catch (IOException | RuntimeException | Error e) {
            problem = String.valueOf(e.getMessage());
        }
        synchronized (this) {
            if (found != null) {
                entry.answer = found;
            }
            entry.problem = problem;
            entry.isRunning = false;
            entry.nextNanos = nanos.getAsLong() + untilNextNanos(found);
            notifyAll();
        }
    }

    private static long untilNextNanos(@Nullable Answer found) {
        if (found == null) {
            return PAUSE_NANOS;
        }
        return found.reason == Reason.UNKNOWN_SCHEMA ? UNKNOWN_NANOS : NEVER_NANOS;
    }

    /**
     * A schema, with those that it refers to. Where it is not here this waits for it, up to 30 s.
     *
     * @throws RejectedException if the registry has none of the id, or none in Avro
     * @throws UnreachableException if the registry was not reached within that time
     */
    synchronized Schema schema(String schema) throws RejectedException {
        long begunNanos = nanos.getAsLong();
        while (!isKnown(schema)) {
            if (nanos.getAsLong() - begunNanos > WAITING_NANOS) {
                throw new UnreachableException("expected a schema from the registry, found "
                        + problem().orElse("no answer yet") + "; look at it, and at neardup.registry.url");
            }
            isKnownElseFetch(schema);
            try {
                wait(WAITING_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UnreachableException("interrupted while a schema was fetched");
            }
        }
        Answer answer = Objects.requireNonNull(Objects.requireNonNull(entries.get(schema)).answer);
        if (answer.schema == null) {
            throw new RejectedException(answer.reason, answer.detail);
        }
        return answer.schema;
    }

    /** Why schemas that somebody waits for are not here; empty where nobody does. */
    synchronized Optional<String> problem() {
        long now = nanos.getAsLong();
        return entries.entrySet().stream()
                .filter(entry -> !entry.getValue().problem.isEmpty() && now - entry.getValue().askedNanos < ASKED_NANOS)
                .map(entry -> url + "/schemas/" + entry.getKey() + ": " + entry.getValue().problem)
                .findFirst();
    }

    private Answer request(String schema) throws IOException {
        JsonNode found = get("/schemas/" + schema);
        if (found.path("error_code").asInt() == NO_SCHEMA) {
            return new Answer(null, Reason.UNKNOWN_SCHEMA, "expected a schema that the registry has, found " + schema);
        }
        if (!found.path("schemaType").asText("AVRO").equals("AVRO")) {
            return notAvro(schema, "of the type " + found.path("schemaType").asText());
        }
        Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
        addReferences(found, parser, new HashSet<>());
        try {
            return new Answer(parser.parse(text(found)), Reason.NOT_AVRO, "");
        } catch (RuntimeException | StackOverflowError e) { // Avro has several for what is no schema.
            return notAvro(schema, "that Avro does not read");
        }
    }

    private static Answer notAvro(String schema, String found) {
        return new Answer(null, Reason.NOT_AVRO, "expected a schema in Avro, found " + schema + " " + found);
    }

    /** What a schema refers to comes before it, each name once: the first is the one that counts. */
    private void addReferences(JsonNode found, Schema.Parser parser, Set<String> seen) throws IOException {
        for (JsonNode reference : found.path("references")) {
            String path = "/subjects/"
                    + URLEncoder.encode(reference.path("subject").asText(), UTF_8)
                            .replace("+", "%20")
                    + "/versions/" + reference.path("version").asInt() + "?deleted=true";
            if (!seen.add(reference.path("name").asText())) {
                continue;
            }
            if (seen.size() > REFERENCES_MAX) {
                throw new IOException("expected at most " + REFERENCES_MAX + " references, found more");
            }
            JsonNode referred = get(path);
            addReferences(referred, parser, seen);
            try {
                parser.parse(text(referred));
            } catch (RuntimeException | StackOverflowError e) {
                throw new IOException("expected Avro at " + path + ", found something else", e);
            }
        }
    }

    private static String text(JsonNode found) throws IOException {
        JsonNode text = found.path("schema");
        if (!text.isTextual()) {
            throw new IOException("expected JSON with a schema, found none");
        }
        return text.textValue();
    }

    /** What was answered: a schema, or that there is none of the id. */
    private JsonNode get(String path) throws IOException {
        HttpResponse<byte[]> response = send(path);
        boolean isMissing = response.statusCode() == 404;
        boolean isMissingGuid = isMissing && path.startsWith("/schemas/guids/");
        JsonNode body;
        try {
            body = JSON.readTree(response.body());
        } catch (IOException e) {
            if (!isMissingGuid) {
                throw new IOException(
                        "expected JSON, found something else, HTTP " + response.statusCode() + " at " + path, e);
            }
            body = MissingNode.getInstance();
        }
        boolean isUnknown = isMissing
                && path.startsWith("/schemas/")
                && body.path("error_code").asInt() == NO_SCHEMA;
        if (isMissingGuid && !isUnknown) {
            // Older registries and others have no address for GUIDs. This one is there if it has the id 1 or says that
            // it has none; else this throws.
            get("/schemas/ids/1");
            return JSON.createObjectNode().put("error_code", NO_SCHEMA);
        }
        if (response.statusCode() != 200 && !isUnknown) {
            throw new IOException("HTTP " + response.statusCode() + " at " + path);
        }
        return body;
    }

    private HttpResponse<byte[]> send(String path) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(ANSWERING)
                .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
        String authorization = authorization();
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        try {
            // The bound of the request ends with the headers of its answer.
            return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                    .orTimeout(2 * ANSWERING.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
    }

    /** The header, never in a message; empty for none. A token may be renewed in its file. */
    private String authorization() throws IOException {
        if (credentials == null) {
            return "";
        }
        String line;
        try {
            line = Files.readString(credentials, UTF_8).strip();
        } catch (IOException e) {
            throw new IOException("expected a readable file, found " + e, e);
        }
        if (BEARER.matcher(line).matches()) {
            return line;
        }
        if (!BASIC.matcher(line).matches()) {
            throw new IOException(
                    "expected user:password, or Bearer and a token, in " + credentials + ", found something else");
        }
        return "Basic " + Base64.getEncoder().encodeToString(line.getBytes(UTF_8));
    }

    /**
     * What believes in the certificates of a file, in place of those that the JDK knows.
     *
     * @param file certificates in PEM, or a PKCS12 or JKS
     * @param password of a PKCS12 or JKS; null for none
     * @throws IllegalArgumentException if it cannot be read, or has no certificates
     */
    public static SSLContext trusting(Path file, @Nullable String password) {
        try {
            KeyStore certificates = certificates(file, password);
            if (certificates.size() == 0) {
                throw new IllegalArgumentException("expected certificates in it, found none");
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(certificates);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("expected certificates in PEM, or a PKCS12 or JKS, found " + e, e);
        }
    }

    @SuppressWarnings("NullAway") // A keystore may have no password: the JDK has no annotations of its own.
    private static KeyStore certificates(Path file, @Nullable String password)
            throws IOException, GeneralSecurityException {
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
}
