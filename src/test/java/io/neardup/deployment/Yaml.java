package io.neardup.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** YAML as JSON, with anchors and merged maps resolved. A key that is there twice is refused. */
final class Yaml {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Yaml() {}

    /** The documents of a file, in order. */
    static List<JsonNode> readAll(String path) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Iterable<Object> documents =
                new org.yaml.snakeyaml.Yaml(new SafeConstructor(options)).loadAll(Files.readString(Path.of(path)));
        List<JsonNode> read = new ArrayList<>();
        documents.forEach(document -> read.add(JSON.valueToTree(document)));
        return read;
    }

    static JsonNode read(String path) throws IOException {
        List<JsonNode> documents = readAll(path);
        if (documents.size() != 1) {
            throw new IOException(path + ": expected one document, found " + documents.size());
        }
        return documents.get(0);
    }

    static Stream<String> names(JsonNode node) {
        return stream(node.fieldNames());
    }

    static Stream<JsonNode> items(JsonNode node) {
        return stream(node.elements());
    }

    static List<String> texts(JsonNode node) {
        return items(node).map(JsonNode::asText).toList();
    }

    static Map<String, String> map(JsonNode node) {
        Map<String, String> map = new LinkedHashMap<>();
        names(node).forEach(name -> map.put(name, node.get(name).asText()));
        return map;
    }

    private static <T> Stream<T> stream(Iterator<T> iterator) {
        return StreamSupport.stream(((Iterable<T>) () -> iterator).spliterator(), false);
    }
}
