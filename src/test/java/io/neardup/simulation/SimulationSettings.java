package io.neardup.simulation;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import java.util.Random;

/** What a simulated run is made of; all of it is drawn from the seed. */
final class SimulationSettings {
    static final int CAP_MAX = 3;
    private static final int CAPPED_EVERY = 8;
    private static final int COPIES_EVERY = 10;
    private static final int MANY_COPIES_EVERY = 40;

    int coordinators;
    int topics;
    int indexPartitions;
    int bands;
    int documents;
    double density;
    int buckets;
    double loss;
    double repeats;
    int crashes;
    double tombstones;
    long retentionMillis = Long.MAX_VALUE;
    boolean refresh;
    Versions versions = Versions.COMPARE;
    int candidatesMax;
    Sketches sketches = Sketches.NONE;
    int bucketMax = 100;
    long verifiedBytes;
    int sketchesMax = StepBounds.SKETCHES_MAX;
    int recordKeys = 3;
    int heldMax = Integer.MAX_VALUE;
    double withdrawals;
    int texts;
    boolean areTextsUnlike;

    private SimulationSettings(Random random) {
        coordinators = 1 + random.nextInt(4);
        topics = 1 + random.nextInt(4) / 3;
        indexPartitions = 1 + random.nextInt(5);
        bands = 1 + random.nextInt(4);
    }

    static SimulationSettings draw(Random random) {
        return switch (random.nextInt(COPIES_EVERY)) {
            case 0 -> drawCopies(random);
            case 1 -> drawDocuments(random).withAHotKey(random);
            default -> drawDocuments(random);
        };
    }

    static SimulationSettings drawDocuments(Random random) {
        double[] densities = {0.1, 0.3, 0.7, 1.0};
        double[] losses = {0, 0, 0.05, 0.2};
        SimulationSettings drawn = new SimulationSettings(random);
        drawn.documents = 2 + random.nextInt(13);
        drawn.density = densities[random.nextInt(4)];
        drawn.buckets = 1 + random.nextInt(4);
        drawn.loss = losses[random.nextInt(4)];
        drawn.repeats = random.nextBoolean() ? 0.05 : 0;
        drawn.crashes = random.nextInt(6);
        drawn.tombstones = random.nextInt(3) == 0 ? 0.3 : 0;
        drawn.retentionMillis = random.nextInt(3) == 0 ? 1 + random.nextInt(400) : Long.MAX_VALUE;
        drawn.refresh = random.nextBoolean();
        drawn.versions = random.nextInt(3) == 0 ? Versions.REPLACE : Versions.COMPARE;
        drawn.candidatesMax = drawCap(random);
        drawn.sketches = Sketches.draw(random);
        drawn.bucketMax = drawCap(random);
        drawn.verifiedBytes = drawVerifiedBytes(random);
        drawn.withdrawals = random.nextInt(8) == 0 ? 0.3 : 0;
        drawn.sketchesMax = random.nextInt(4) == 0 ? 2 : StepBounds.SKETCHES_MAX;
        return drawn;
    }

    /** Many copies of few texts at once, now and then hundreds; an index partition returns a quarter at the most. */
    private static SimulationSettings drawCopies(Random random) {
        SimulationSettings drawn = new SimulationSettings(random);
        drawn.documents = random.nextInt(MANY_COPIES_EVERY) == 0 ? 300 : 40;
        drawn.density = 1;
        drawn.buckets = 1;
        drawn.candidatesMax = 8 + random.nextInt(4);
        drawn.sketches = Sketches.drawForCopies(random);
        drawn.verifiedBytes = drawVerifiedBytes(random);
        drawn.texts = 1 + random.nextInt(3);
        if (random.nextInt(8) == 0) { // More are compared than an index partition returns.
            drawn.sketches = new Sketches(0, Integer.MAX_VALUE, 20);
        }
        return drawn;
    }

    /** Tombstones that meet many originals of their key: nearly all documents are decided before the next ones come. */
    private SimulationSettings withAHotKey(Random random) {
        coordinators = 1 + coordinators % 2;
        documents += 6;
        density = 0.1 + random.nextInt(3) / 10.0;
        tombstones = 0.2;
        retentionMillis = Long.MAX_VALUE;
        candidatesMax = 100;
        bucketMax = 100;
        recordKeys = 1;
        heldMax = 1 + random.nextInt(3);
        withdrawals = 0;
        return this;
    }

    /** Now and then one pair a step. */
    private static long drawVerifiedBytes(Random random) {
        return random.nextInt(4) == 0 ? 1 : Long.MAX_VALUE;
    }

    /** Mostly more than the documents of a run. */
    private static int drawCap(Random random) {
        return random.nextInt(CAPPED_EVERY) == 0 ? 1 + random.nextInt(CAP_MAX) : 100;
    }

    /**
     * One or two coordinators that crash often, and buckets that all share: what takes a rare coincidence comes sooner.
     */
    SimulationSettings crashing() {
        if (!areCopies()) {
            coordinators = 1 + coordinators % 2;
            indexPartitions = 1 + indexPartitions % 2;
            documents += 6;
            buckets = 1;
            crashes = 8 + 4 * crashes;
        }
        return this;
    }

    /**
     * Few documents to a bucket, and several bands of one partition: a bucket refuses a document that others take, and
     * has room when the document asks again.
     */
    SimulationSettings withFullBuckets(Random others) {
        if (!areCopies()) {
            coordinators = 1 + coordinators % 2;
            indexPartitions = 1;
            bands = 2 + others.nextInt(2);
            documents += 10;
            density = 0.3 + others.nextInt(5) / 10.0;
            buckets = 2 + others.nextInt(3);
            crashes = 8 + 4 * crashes;
            versions = Versions.COMPARE;
            candidatesMax = 100;
            sketches = Sketches.NONE;
            bucketMax = 2;
        }
        return this;
    }

    /**
     * Texts that share buckets, and have likely sketches, but do not match: more of them than are compared, so
     * that a copy is found only where its bound and its rank let it.
     */
    SimulationSettings withUnlikeTexts(Random others) {
        if (areCopies()) {
            areTextsUnlike = true;
            texts = 4 + others.nextInt(Corpus.TEXTS_MAX - 3);
            candidatesMax = documents;
            sketches = Sketches.ofTexts(others);
        }
        return this;
    }

    /** Of an index that takes over: its documents, coordinators and retention are the same, all else is its own. */
    SimulationSettings ofSuccessor(SimulationSettings own) {
        own.coordinators = coordinators;
        own.topics = topics;
        own.documents = documents;
        own.crashes += crashes;
        own.tombstones = tombstones;
        own.retentionMillis = retentionMillis;
        own.refresh = refresh;
        own.versions = versions;
        own.recordKeys = recordKeys;
        own.heldMax = heldMax;
        own.withdrawals = withdrawals;
        return own;
    }

    /** Of copies one is found by all, whoever is truncated. */
    boolean areCopies() {
        return texts > 0;
    }

    boolean forgets() {
        return tombstones > 0 || retentionMillis != Long.MAX_VALUE;
    }

    boolean promisesSequentialOutcome() {
        return coordinators == 1
                && topics == 1
                && loss == 0
                && !forgets()
                && withdrawals == 0
                && versions == Versions.COMPARE
                && candidatesMax > CAP_MAX
                && sketches.verifiedMax() > CAP_MAX;
    }

    boolean promisesUniqueVersions() {
        return topics == 1 && !forgets() && versions == Versions.REPLACE;
    }

    @Override
    public String toString() {
        try {
            return new ObjectMapper()
                    .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
                    .writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * How candidates are sifted.
     *
     * @param values of a sketch; 0 in runs without
     */
    record Sketches(int values, int differencesMax, int verifiedMax) {
        private static final Sketches NONE = new Sketches(0, Integer.MAX_VALUE, 100);
        private static final int VALUES = 6;

        private static Sketches draw(Random random) {
            int cut = random.nextBoolean() ? VALUES / 2 + random.nextInt(VALUES / 2) : Integer.MAX_VALUE;
            return new Sketches(random.nextInt(4) == 0 ? 0 : VALUES, cut, drawCap(random));
        }

        private static Sketches drawForCopies(Random random) {
            return new Sketches(0, Integer.MAX_VALUE, 2 + random.nextInt(2));
        }

        private static Sketches ofTexts(Random random) {
            return new Sketches(Corpus.TEXTS_MAX, Integer.MAX_VALUE, 1 + random.nextInt(3));
        }
    }
}
