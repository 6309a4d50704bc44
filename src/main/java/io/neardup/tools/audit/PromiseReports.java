package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What the checks have found, by promise.
 *
 * @param indexKnown whether there is an index, which has the seed of the buckets
 * @param all whether the passes have looked at all
 */
record PromiseReports(AuditedTopics topics, boolean indexKnown, boolean all) {

    List<PromiseReport> of(ConservationCheck conservation, List<DocumentsCheck> passes) {
        String prefix = topics.ofVerdicts() ? "verdicts-" : "";
        List<PromiseReport> reports = new ArrayList<>();
        reports.add(new PromiseReport(
                prefix + "conservation",
                conservation.matched(),
                "records",
                conservation.conservation(),
                true,
                conservationNotes(conservation)));
        reports.add(validReference(prefix + "valid-reference", passes));
        if (!topics.ofVerdicts()) {
            reports.add(noRemainingDuplicates(passes));
        }
        reports.add(new PromiseReport(
                prefix + "order", conservation.matched(), "records", conservation.order(), true, List.of()));
        return reports;
    }

    private List<String> conservationNotes(ConservationCheck found) {
        List<String> notes = new ArrayList<>();
        note(found.notLeft(), "records or more at the ends of input partitions have not left yet", notes);
        if (topics.ofVerdicts()) {
            note(found.notJudged(), "records came in before there were verdicts, or are deleted", notes);
            return notes;
        }
        note(found.notJudged(), "records: what belongs to them was deleted from the beginning of a topic", notes);
        note(
                found.namesReplaced(),
                "records have U+FFFD in the name of a header: unless their producers wrote it, the name was not UTF-8"
                        + " and leaves changed",
                notes);
        if (!topics.timestampsKept()) {
            notes.add("timestamps are not compared, as the brokers set those of an output");
        }
        if (topics.hasDuplicatesWithoutText()) {
            notes.add("values of duplicates are not compared, as they are verdicts");
        }
        return notes;
    }

    private PromiseReport validReference(String name, List<DocumentsCheck> passes) {
        List<ValidReferenceCheck> found =
                passes.stream().map(DocumentsCheck::validReference).toList();
        Breaks breaks = new Breaks();
        found.forEach(pass -> breaks.addAll(pass.breaks()));
        List<String> notes = new ArrayList<>();
        noteSample(found.get(0).classes(), "originals", notes);
        note(
                sum(found, ValidReferenceCheck::notJudged),
                topics.ofVerdicts()
                        ? "duplicates name a document of which the verdict may be deleted"
                        : "duplicates name a document without an id, or one that is deleted from unique",
                notes);
        note(sum(found, ValidReferenceCheck::notYet), "duplicates name a document that has not left yet", notes);
        // Each pass meets them all.
        note(
                found.get(0).ofUnreadSeeds(),
                topics.ofVerdicts()
                        ? "duplicates name a document of a seed, on which there is no verdict"
                        : "duplicates name a document of a seed that is gone",
                notes);
        note(found.get(0).judgedByOthers(), "duplicates were judged by other settings: their similarity is not", notes);
        if (!topics.ofVerdicts() && topics.hasDuplicatesWithoutText()) {
            notes.add("texts are not compared, as duplicates are verdicts");
        }
        return new PromiseReport(name, sum(found, ValidReferenceCheck::judged), "duplicates", breaks, true, notes);
    }

    private PromiseReport noRemainingDuplicates(List<DocumentsCheck> passes) {
        NeardupConfig config = topics.config();
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
                    + "; --all looks at all in so many passes, a larger heap (java -Xmx4g -jar ...) needs fewer");
        }
    }

    private static void note(long count, String what, List<String> notes) {
        if (count > 0) {
            notes.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }

    private static long sum(List<ValidReferenceCheck> passes, ToLongFunction<ValidReferenceCheck> count) {
        return passes.stream().mapToLong(count).sum();
    }
}
