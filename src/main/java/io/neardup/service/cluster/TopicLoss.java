package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.store.TopicNames;
import java.util.HashSet;
import java.util.Set;

/** What to do about a topic of a service that is not what it was: what a start makes of it, half a sentence. */
public final class TopicLoss {
    private static final String NO_LOSS = "nothing is lost";
    private static final String SEED_IS_LOST =
            "where all seeds were read, take neardup.seed.topics or neardup.successor.of out and start again:"
                    + " nothing is lost; else start anew under another application.id";
    private static final String INDEX_IS_LOST = "the index is lost with it, so a start is refused: take another"
            + " application.id, or delete the rest with reset; both read the input from its beginning and write to the"
            + " outputs again";

    private final Set<String> inputs;
    private final Set<String> outputs;
    private final Set<String> made;
    private final Set<String> seeds;

    public TopicLoss(NeardupConfig config) {
        TopicNames names = new TopicNames(config.applicationId());
        this.inputs = Set.copyOf(config.inputTopics());
        this.outputs = Set.copyOf(config.outputTopics());
        this.made = Set.copyOf(names.inFlight(false));
        this.seeds = new HashSet<>(config.seedTopics());
        config.successorOf().map(TopicNames::new).ifPresent(before -> {
            seeds.add(before.originalsChangelog());
            seeds.add(before.settings());
        });
        seeds.add(names.seeds());
    }

    /** Where it was deleted. */
    public String deleted(String topic) {
        if (outputs.contains(topic)) {
            return "create it again, or start with --create-topics: its records are lost, the service goes on with the"
                    + " next";
        } else if (inputs.contains(topic)) {
            return "create it again and start with --input-deleted skip, which reads the new one from its"
                    + " beginning: what of the old one had not left is lost";
        }
        if (seeds.contains(topic)) {
            return SEED_IS_LOST;
        }
        return made.contains(topic) ? "start again, which makes it anew: " + NO_LOSS : INDEX_IS_LOST;
    }

    /** Where it was deleted, and made again under its name. */
    String madeAgain(String topic) {
        if (inputs.contains(topic)) {
            return "start with --input-deleted skip, which reads the new one from its beginning: what of the old"
                    + " one had not left is lost";
        }
        if (seeds.contains(topic)) {
            return SEED_IS_LOST;
        }
        return made.contains(topic) ? "start again: " + NO_LOSS : INDEX_IS_LOST;
    }

    /** Where its partitions have become more. */
    String grown(String topic) {
        if (seeds.contains(topic)) {
            return SEED_IS_LOST;
        }
        return made.contains(topic)
                ? "delete it and start again, which makes it anew: " + NO_LOSS
                : "the number is fixed for the life of an index, so a start is refused: take another application.id";
    }
}
