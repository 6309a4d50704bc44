package io.neardup.testing;

import io.neardup.testing.NewsFeed.News;
import java.util.List;

/** The promises of the service, judged from the topics alone and by brute force; record keys are document ids. */
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
        Judge judge = new Judge(fed, partitions);
        Outputs.ALL.forEach(topic -> outputs.of(topic).forEach(judge::take));
        judge.conclude();
    }
}
