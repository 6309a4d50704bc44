package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.service.migration.ClusterView;
import io.neardup.testing.NewsFeed.News;
import io.neardup.tools.audit.PromiseReport;
import io.neardup.tools.audit.PromiseVerifier;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The promises of the service for news that a {@link Feeder} has fed, as a {@link Judge} finds them. */
public final class Promises {
    private final List<News> fed;
    private final Outputs outputs;

    public Promises(List<News> fed, Outputs outputs) {
        this.fed = fed;
        this.outputs = outputs;
    }

    /**
     * Checks all of them.
     *
     * @param partitions over which the documents were fed round robin
     */
    public void check(int partitions) {
        Judge judge = new Judge(IntStream.range(0, fed.size())
                .mapToObj(i -> {
                    News news = fed.get(i);
                    return new Fed(news.id(), "documents", i % partitions, i, news.id(), news.text(), 0);
                })
                .toList());
        Outputs.ALL.forEach(topic -> outputs.of(topic).forEach(judge::take));
        judge.conclude();
    }

    /**
     * Requires that {@code verify} finds them held. Where new versions replace earlier ones, they are unique whatever
     * they resemble.
     *
     * @param all whether to look at all documents, however often that reads the topics; else at those of one pass
     */
    public static void requireVerified(NeardupConfig config, boolean all) throws IOException {
        Predicate<PromiseReport> isJudged = report -> report.held() != null
                || (config.versions() == Versions.REPLACE && report.promise().equals("no-remaining-duplicates"));
        try (ClusterView cluster = new ClusterView(config)) {
            assertThat(new PromiseVerifier(config, cluster, progress -> {}).run(all))
                    .allSatisfy(report -> assertThat(report.breaks().isEmpty() && isJudged.test(report))
                            .as("%s, %s", report, report.breaks())
                            .isTrue());
        }
    }
}
