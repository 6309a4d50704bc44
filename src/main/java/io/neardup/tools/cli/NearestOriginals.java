package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.tools.cli.ServiceClient.CheckReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The documents of an index that are most like one that is unique.
 *
 * @param nearest as the service names them, best first, without the document itself
 * @param bounded how bounds have truncated them
 * @param notAsked why nobody was asked; empty where somebody was
 */
record NearestOriginals(List<JsonNode> nearest, List<String> bounded, Optional<String> notAsked) {
    private static final double SAME = 1 - 1e-9;

    /** Nobody was asked. */
    static NearestOriginals notAsked(String why) {
        return new NearestOriginals(List.of(), List.of(), Optional.of(why));
    }

    /**
     * Asks a service, if it is the right one: no other gets to see the document.
     *
     * @param value of its record
     * @param headers of its record, each as {@link io.neardup.service.lifecycle.EncodedHeader} writes it
     */
    static NearestOriginals ask(
            ServiceClient client, String applicationId, String id, byte[] value, List<String> headers)
            throws IOException, InterruptedException {
        String found = client.status().path("applicationId").asText("one that is starting");
        if (!found.equals(applicationId)) {
            return notAsked(client.url() + ": expected the service of application.id " + applicationId + ", found "
                    + found + "; give by --url its address, or the application.id of that one");
        }
        CheckReply answer = client.check(value, headers);
        return answer.isChecked()
                ? new NearestOriginals(
                        others(answer.json().path("nearest"), id),
                        CheckCommand.bounded(answer.json()),
                        Optional.empty())
                : notAsked(client.url() + ": " + answer.error());
    }

    /** The document itself is one of the index. */
    private static List<JsonNode> others(JsonNode nearest, String id) {
        List<JsonNode> others = new ArrayList<>();
        nearest.forEach(others::add);
        others.stream()
                .filter(one -> one.path("id").asText().equals(id)
                        && one.path("similarity").asDouble() >= SAME)
                .findFirst()
                .ifPresent(others::remove);
        return others;
    }

    /** A line for each. */
    List<String> lines() {
        if (notAsked.isPresent()) {
            return List.of("not asked: " + notAsked.get());
        }
        if (nearest.isEmpty()) {
            return List.of("none: no other document that is like it shares a bucket");
        }
        List<String> lines = new ArrayList<>();
        nearest.forEach(one -> lines.add(line(one)));
        lines.addAll(bounded);
        return lines;
    }

    private static String line(JsonNode one) {
        String whole = one.has("whole")
                ? String.format(
                        Locale.ROOT,
                        " (%.3f with boilerplate)",
                        one.path("whole").asDouble())
                : "";
        return String.format(
                Locale.ROOT,
                "%s, %.3f alike%s%s",
                one.path("id").asText(),
                one.path("similarity").asDouble(),
                whole,
                one.path("pending").asBoolean() ? ", not decided yet" : "");
    }

    void putInto(ObjectNode json) {
        if (notAsked.isPresent()) {
            json.put("nearestNotAsked", notAsked.get());
            return;
        }
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        nearest.forEach(all::add);
        json.set("nearest", all);
    }
}
