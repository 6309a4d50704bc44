package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A schema registry that answers as the REST API of Confluent's says, of which Apicurio's ccompat is a copy: schemas by
 * id and GUID, versions of subjects, error codes. It is no registry: that of a user may differ from its API.
 */
public final class RegistryServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile int failure;
    private volatile String failureBody = "";
    private volatile @Nullable String bodyOfGuids;
    private volatile @Nullable String authorization;

    /** One that is up and empty. */
    public RegistryServer() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    /** The same with TLS. */
    public RegistryServer(SSLContext tls) throws IOException {
        this(withTls(tls));
    }

    private RegistryServer(HttpServer server) {
        this.server = server;
        server.createContext("/", this::answer);
        server.start();
    }

    private static HttpServer withTls(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return server;
    }

    public String url() {
        String scheme = server instanceof HttpsServer ? "https" : "http";
        return scheme + "://localhost:" + server.getAddress().getPort();
    }

    /**
     * Has a schema.
     *
     * @param place {@code ids/7}, or {@code guids/} and a GUID
     * @param references each as the name, the subject and the version
     */
    @SafeVarargs
    public final void schema(String place, String schema, List<String>... references) {
        answers.put("/schemas/" + place, body(schema, references).toString().getBytes(UTF_8));
    }

    /** Has a schema that is not in Avro. */
    public void schemaOfType(String place, String type, String schema) {
        answers.put(
                "/schemas/" + place,
                body(schema).put("schemaType", type).toString().getBytes(UTF_8));
    }

    /** Has a version of a subject, to which schemas refer. */
    @SafeVarargs
    public final void version(String subject, int version, String schema, List<String>... references) {
        ObjectNode body = body(schema, references).put("subject", subject).put("version", version);
        answers.put(
                "/subjects/" + subject + "/versions/" + version, body.toString().getBytes(UTF_8));
    }

    private static ObjectNode body(String schema, List<?>... references) {
        ObjectNode body = JSON.createObjectNode().put("schema", schema);
        for (List<?> reference : references) {
            body.withArray("references")
                    .addObject()
                    .put("name", String.valueOf(reference.get(0)))
                    .put("subject", String.valueOf(reference.get(1)))
                    .put("version", Integer.parseInt(String.valueOf(reference.get(2))));
        }
        return body;
    }

    /** From now on it fails so; 0 for not any more. */
    public void failWith(int status, String body) {
        failureBody = body;
        failure = status;
    }

    /** From now on it does not know the address of GUIDs, as some do not. */
    public void lackGuids(String body) {
        bodyOfGuids = body;
    }

    public void wantAuthorization(String header) {
        authorization = header;
    }

    /** The paths that were asked for, in their order. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        byte[] found = answers.get(path);
        if (!exchange.getRequestMethod().equals("GET")) {
            send(exchange, 405, new byte[0]);
        } else if (failure != 0) {
            send(exchange, failure, failureBody.getBytes(UTF_8));
        } else if (authorization != null
                && !authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            send(exchange, 401, "{\"error_code\":401,\"message\":\"Unauthorized\"}".getBytes(UTF_8));
        } else if (bodyOfGuids != null && path.startsWith("/schemas/guids/")) {
            send(exchange, 404, bodyOfGuids.getBytes(UTF_8));
        } else if (found == null) {
            int code = path.startsWith("/schemas/") ? 40403 : 40401;
            send(exchange, 404, ("{\"error_code\":" + code + ",\"message\":\"not found\"}").getBytes(UTF_8));
        } else {
            send(exchange, 200, found);
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/vnd.schemaregistry.v1+json");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
