package io.neardup.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.DuplicateTexts;
import io.neardup.service.lifecycle.Passage;
import io.neardup.service.lifecycle.TextPair;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The latest duplicates word by word, as the page shows them: a new frame only where there is something new. Reads them
 * while it is asked. Used by one thread.
 */
final class TextFrames implements AutoCloseable {
    private final Optional<DuplicateTexts> texts;
    private List<TextPair> shown = List.of();
    private String shownProblem = "";
    private ObjectNode frame = JsonNodeFactory.instance.objectNode().put("problem", "");
    private long number;

    TextFrames(DedupService service) {
        this.texts = service.texts();
    }

    /** Takes what is new; false where nothing is to be shown. */
    boolean renew() {
        if (texts.isEmpty()) {
            return false;
        }
        List<TextPair> latest = texts.get().latest();
        String problem = texts.get().problem();
        if (!latest.equals(shown) || !problem.equals(shownProblem)) {
            shown = latest;
            shownProblem = problem;
            number++;
            frame = JsonNodeFactory.instance.objectNode().put("problem", problem);
            ArrayNode pairs = frame.putArray("pairs");
            latest.forEach(pair -> put(pairs, pair));
        }
        return true;
    }

    private static void put(ArrayNode pairs, TextPair pair) {
        ArrayNode passages = pairs.addObject()
                .put("id", pair.id())
                .put("original", pair.originalId())
                .put("similarity", pair.similarity())
                .putArray("passages");
        for (Passage passage : pair.passages()) {
            ArrayNode one = passages.addArray().add(passage.in().name().toLowerCase(Locale.ROOT));
            if (passage.in() == Passage.In.BOTH_UNSHOWN) {
                one.add(passage.words().size());
            } else {
                one.add(passage.text());
            }
        }
    }

    /** Of the frame: a later one has a higher number. */
    long number() {
        return number;
    }

    ObjectNode frame() {
        return frame;
    }

    @Override
    public void close() {
        texts.ifPresent(DuplicateTexts::close);
    }
}
