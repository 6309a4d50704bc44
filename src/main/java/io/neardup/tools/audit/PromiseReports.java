package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the checks have found, by promise. */
final class PromiseReports {
    private final NeardupConfig config;
    private final AuditedTopics topics;
    private final boolean indexKnown;
    private final boolean all;

    /**
     * @param indexKnown whether there is an index, which has the seed of the buckets
     * @param all whether the passes have looked at all
     */
    PromiseReports(NeardupConfig config, AuditedTopics topics, boolean indexKnown, boolean all) {
        this.config = config;
        this.topics = topics;
        this.indexKnown = indexKnown;
        this.all = all;
    }

    List<PromiseReport> of(ConservationCheck conservation, List<DocumentsCheck> passes) {
        return List.of(
                new PromiseReport(
                        "conservation",
                        conservation.matched(),
                        "records",
                        conservation.conservation(),
                        true,
                        conservationNotes(conservation)),
                validReference(passes),
                noRemainingDuplicates(passes),
                new PromiseReport("order", conservation.matched(), "records", conservation.order(), true, List.of()));
    }

    private List<String> conservationNotes(ConservationCheck found) {
        List<String> notes = new ArrayList<>();
        note(found.notLeft(), "records or more at the ends of input partitions have not left yet", notes);
        note(found.notJudged(), "records: what belongs to them was deleted from the beginning of a topic", notes);
        note(
                found.namesReplaced(),
                "records have U+FFFD in the name of a header: unless their producers wrote it, the name was not UTF-8"
                        + " and leaves changed",
                notes);
        if (!topics.timestampsKept()) {
            notes.add("timestamps are not compared, as the brokers set those of an output");
        }
        if (topics.verdicts()) {
            notes.add("values of duplicates are not compared, as they are verdicts");
        }
        return notes;
    }

    private PromiseReport validReference(List<DocumentsCheck> passes) {
        Breaks breaks = new Breaks();
        passes.forEach(pass -> breaks.addAll(pass.validReference().breaks()));
        List<String> notes = new ArrayList<>();
        noteSample(passes.get(0).validReference().classes(), "originals", notes);
        note(
                sum(passes.stream()
                        .map(pass -> pass.validReference().notJudged())
                        .toList()),
                "duplicates name a document without an id, or one that is deleted from unique",
                notes);
        note(
                sum(passes.stream().map(pass -> pass.validReference().notYet()).toList()),
                "duplicates name a document that has not left yet",
                notes);
        if (topics.verdicts()) {
            notes.add("texts are not compared, as duplicates are verdicts");
        }
        long judged =
                sum(passes.stream().map(pass -> pass.validReference().judged()).toList());
        return new PromiseReport("valid-reference", judged, "duplicates", breaks, true, notes);
    }

    private PromiseReport noRemainingDuplicates(List<DocumentsCheck> passes) {
        Breaks breaks = new Breaks();
        passes.forEach(pass -> breaks.addAll(pass.noRemainingDuplicates().breaks()));
        List<String> notes = new ArrayList<>();
        noteSample(passes.get(0).noRemainingDuplicates().classes(), "buckets", notes);
        boolean isLookedAt = indexKnown && config.versions() != Versions.REPLACE;
        if (!indexKnown) {
            notes.add("not looked at: there is no index of application.id " + config.applicationId()
                    + ", which has the seed of the buckets");
        } else if (!isLookedAt) {
            notes.add("not looked at: new versions are unique whatever they resemble (neardup.versions=replace)");
        }
        if (isLookedAt && topics.seedsJudged()) {
            notes.add("not compared with seeds: which of their documents were kept is not known (neardup.seed.judge, or"
                    + " they are of a predecessor)");
        } else if (isLookedAt && !topics.lostSeeds().isEmpty()) {
            notes.add("not compared with seeds that are gone: " + String.join(", ", topics.lostSeeds()));
        }
        long judged = passes.stream()
                .mapToLong(pass -> pass.noRemainingDuplicates().judged())
                .max()
                .orElse(0);
        return new PromiseReport("no-remaining-duplicates", judged, "unique documents", breaks, isLookedAt, notes);
    }

    private void noteSample(int classes, String of, List<String> notes) {
        if (classes > 1 && !all) {
            notes.add("a sample: one of " + classes + " parts of the " + of
                    + "; --all looks at all in so many passes, a larger heap" + " (java -Xmx4g -jar ...) needs fewer");
        }
    }

    private static void note(long count, String what, List<String> notes) {
        if (count > 0) {
            notes.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
