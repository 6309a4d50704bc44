package io.neardup.streams;

/**
 * The nodes and stores of the topology. These are no names of topics, even where they sound like one: topics are named
 * by the settings and by {@link TopicNames}. Only the names of changelogs are made of those of stores.
 */
final class NodeNames {
    static final String DOCUMENTS = "documents";
    static final String REPLIES_IN = "replies-in";
    static final String HOME = "home";
    static final String LOOKUPS = "lookups";
    static final String REPLIES = "replies";
    static final String UNIQUE = "unique";
    static final String DUPLICATES = "duplicates";
    static final String DEAD_LETTER = "dead-letter";
    static final String VERDICTS = "verdicts";
    static final String SEED_TOPICS = "seed-topics";
    static final String SEED_RELAY = "seed-relay";
    static final String PREDECESSOR = "predecessor";
    static final String ORIGINAL_RELAY = "original-relay";
    static final String SEEDS = "seeds";
    static final String SEEDS_IN = "seeds-in";
    static final String NOTES = "notes";
    static final String LOOKUPS_IN = "lookups-in";
    static final String BANDS = "bands";
    static final String ANSWERS = "answers";
    static final String CHECKS_OF_BANDS = "checks-of-bands";
    static final String CHECKS_OF_HOME = "checks-of-home";

    static final String PROGRESS = "progress";
    static final String ORIGINALS = "originals";
    static final String BUCKETS = "buckets";

    private NodeNames() {}
}
