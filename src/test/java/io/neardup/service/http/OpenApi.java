package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.neardup.service.http.RawRequest.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/** {@code openapi.yaml}, and whether an answer is one that it describes, with no field that it does not. */
final class OpenApi {
    private static final String API = "/api/";
    private static final Pattern REQUEST = Pattern.compile("^([A-Z]+) (/[^ ?]*)");
    private static final ObjectMapper JSON = new ObjectMapper();
    static final String TEXT = text();
    static final JsonNode FILE = JSON.valueToTree(new Yaml().load(TEXT));
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDialect(Dialects.getDraft202012());

    /** Here a field that is not described is an error; clients must expect some of later releases. */
    private static final JsonNode CLOSED = closed(FILE.get("components").deepCopy());

    private OpenApi() {}

    private static String text() {
        try (InputStream file = Objects.requireNonNull(HttpEndpoints.class.getResourceAsStream("openapi.yaml"))) {
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode closed(JsonNode schema) {
        if (schema.has("properties") && !schema.has("additionalProperties")) {
            ((ObjectNode) schema).put("additionalProperties", false);
        }
        schema.forEach(OpenApi::closed);
        return schema;
    }

    /** The paths with their operations, by method in small letters. */
    static Map<String, JsonNode> paths() {
        Map<String, JsonNode> paths = new TreeMap<>();
        FILE.get("paths").properties().forEach(path -> paths.put(path.getKey(), path.getValue()));
        return paths;
    }

    /** Requires that an answer is as described; every error is, wherever it comes from. */
    static void check(String sent, Answer answer) throws IOException {
        List<MatchResult> lines = REQUEST.matcher(sent).results().toList();
        String method = lines.isEmpty() ? "" : lines.get(0).group(1);
        String path = lines.isEmpty() ? "" : lines.get(0).group(2);
        Optional<JsonNode> operation = path.startsWith(API) ? operation(method, path) : Optional.empty();
        if (operation.isPresent() && !method.equals("HEAD")) {
            String status = String.valueOf(answer.status());
            JsonNode response = resolved(operation.get().get("responses").path(status));
            assertThat(response.isObject())
                    .as("%s %s: %s", method, path, status)
                    .isTrue();
            String type = response.get("content").fieldNames().next();
            assertThat(answer.head()).contains("content-type: " + type);
            if (type.equals(HttpReply.JSON)) {
                checkJson(response.at("/content").get(type).get("schema"), answer.json());
            }
        }
        boolean isHealth = path.startsWith("/health/") && answer.status() == 503;
        if (answer.status() >= 400 && !isHealth && !method.equals("HEAD")) {
            assertThat(answer.head()).contains("content-type: " + HttpReply.JSON);
            checkJson(JSON.readTree("{\"$ref\":\"#/components/schemas/Error\"}"), answer.json());
            assertThat(answer.json().get("error").asText()).matches(".*expected .+, found.*");
        }
    }

    /** Empty where there is none: then the answer is one of those to any address. */
    private static Optional<JsonNode> operation(String method, String path) {
        return paths().entrySet().stream()
                .filter(described -> path.matches(described.getKey().replaceAll("\\{[a-z]+}", "[^/]+")))
                .map(described ->
                        described.getValue().get(method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT)))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static JsonNode resolved(JsonNode response) {
        return response.has("$ref") ? FILE.at(response.get("$ref").asText().substring(1)) : response;
    }

    private static void checkJson(JsonNode schema, JsonNode body) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", CLOSED);
        assertThat(SCHEMAS.getSchema(whole).validate(body)).as(body.toString()).isEmpty();
    }
}
