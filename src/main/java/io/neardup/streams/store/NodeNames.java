package io.neardup.streams.store;

/**
 * The nodes and stores of the topology. These are no names of topics, even where they sound like one: topics are named
 * by the settings and by {@link TopicNames}. Only the names of changelogs are made of those of stores.
 */
public final class NodeNames {
    public static final String DOCUMENTS = "documents";
    public static final String REPLIES_IN = "replies-in";
    public static final String COORDINATOR = "coordinator";
    public static final String LOOKUPS = "lookups";
    public static final String REPLIES = "replies";
    public static final String UNIQUE = "unique";
    public static final String DUPLICATES = "duplicates";
    public static final String DEAD_LETTER = "dead-letter";
    public static final String VERDICTS = "verdicts";
    public static final String SEED_TOPICS = "seed-topics";
    public static final String SEED_RELAY = "seed-relay";
    public static final String PREDECESSOR = "predecessor";
    public static final String ORIGINAL_RELAY = "original-relay";
    public static final String SEEDS = "seeds";
    public static final String SEEDS_IN = "seeds-in";
    public static final String NOTES = "notes";
    public static final String LOOKUPS_IN = "lookups-in";
    public static final String BANDS = "bands";
    public static final String ANSWERS = "answers";
    public static final String CHECKS_OF_BANDS = "checks-of-bands";
    public static final String CHECKS_OF_COORDINATOR = "checks-of-coordinator";

    public static final String STORY_EVENTS = "story-events";
    /** Kafka Streams numbers sub-topologies by the names of their sources: those of stories are the last. */
    public static final String STORY_EVENTS_IN = "story-events-in";

    public static final String STORY_KEEPER = "story-keeper";
    public static final String STORIES_OUT = "stories-out";
    public static final String STORY_NOTES = "story-notes";
    public static final String STORY_PREDECESSOR = "story-predecessor";
    public static final String STORY_RELAY = "story-relay";
    public static final String STORIES_INHERITED = "stories-inherited";

    public static final String PROGRESS = "progress";
    public static final String ORIGINALS = "originals";
    public static final String BUCKETS = "buckets";
    public static final String STORIES = "stories";

    private NodeNames() {}
}
