package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.faults.FaultSchedule.Fault;
import io.neardup.faults.FaultSchedule.Kind;
import io.neardup.testing.Judge;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OpenTransactions;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run of the service under a schedule of faults: a steady feed, and the promises in the end, judged from the topics
 * alone. Whoever ends by itself is started again, as the service asks of those who run it.
 */
final class FaultRun {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Every duplicate is compared with its original, all that they consist of. */
    private static final Duration JUDGING = Duration.ofNanos(500_000);

    /** Of more documents a share of the buckets is looked at: what fits the heap. */
    private static final int VERIFIED_MAX = 300_000;

    private static final Duration APART_MAX = Duration.ofSeconds(1);
    private static final Duration STUCK_AFTER = Duration.ofMinutes(3);
    private static final Duration CALM_AFTER = Duration.ofSeconds(60);

    /**
     * All that the log has of these faults at WARN or above, as each has something to do about it. Any other
     * line is one too many: see log.xml.
     */
    private static final List<Pattern> LOGGED = Stream.of(
                    // The state of tests lies there; that of an operator should not.
                    "WARN  o.a.k.s.p.i.StateDirectory Using an OS temp directory in the state.dir .*",
                    "WARN  i[.a-z]*LostTasks a thread lost its tasks to others some seconds ago, .*",
                    "WARN  i[.a-z]*Attention gone for .* start it again",
                    "WARN  i[.a-z]*GuardedProducer giving up the open transaction, as the cluster did not answer .*",
                    "WARN  i[.a-z]*TopicWatch waiting for the cluster; cause=.* check that a broker listens there .*",
                    // Of brokers that are there, and too busy to answer in time.
                    "WARN  i[.a-z]*TopicWatch waiting for the cluster; cause=.*; look at the brokers and at .*")
            .map(Pattern::compile)
            .toList();

    /** A look takes time of its own, whatever is left. */
    private static final Duration LOOK_MIN = Duration.ofSeconds(5);

    private final Service service;
    private final List<News> news;
    private final List<Fault> schedule;
    private final List<Happened> happened = new ArrayList<>();
    private final List<Duration> apart = new ArrayList<>();
    private int endedByThemselves;
    private int mayEndByThemselves;

    private record Happened(Kind kind, long atNanos) {}

    FaultRun(Service service, List<News> news, List<Fault> schedule) {
        this.service = service;
        this.news = news;
        this.schedule = schedule;
    }

    /**
     * Runs it to its end.
     *
     * @param instances at first
     * @param documentsPerSecond of the feed
     */
    void run(int instances, int documentsPerSecond) throws Exception {
        long startNanos = System.nanoTime();
        for (int i = 0; i < instances; i++) {
            service.add();
        }
        service.awaitShared();
        try (OutputWatch watch = new OutputWatch(service.servers(), Service.PARTITIONS)) {
            SteadyFeed feed = new SteadyFeed(service.servers(), news, documentsPerSecond, watch::count);
            for (Fault fault : schedule) {
                awaitFed(fault.afterDocuments(), feed, watch);
                happened.add(new Happened(fault.kind(), System.nanoTime()));
                inject(fault);
            }
            long calmFromNanos = System.nanoTime();
            awaitFed(news.size(), feed, watch);
            awaitCalm(watch, Math.max(calmFromNanos, feed.lastFedNanos()));
            report(watch, startNanos, calmFromNanos);
        }
        assertThat(endedByThemselves).as("instances that ended by themselves").isLessThanOrEqualTo(mayEndByThemselves);
        checkPromises();
        assertThat(apart).as("between two kills").allMatch(time -> time.compareTo(APART_MAX) < 0);
        assertThat(service.warnings())
                .as("lines in the logs that tell an operator nothing to do")
                .allMatch(line ->
                        LOGGED.stream().anyMatch(told -> told.matcher(line).matches()));
        for (int place = 0; place < service.size(); place++) {
            assertThat(service.instance(place).stop()).isEqualTo(143);
        }
    }

    private void awaitFed(int documents, SteadyFeed feed, OutputWatch watch) throws IOException, InterruptedException {
        while (feed.fed() < documents) {
            assertThat(System.nanoTime() - feed.lastFedNanos())
                    .describedAs("stuck: fed %d, out %d, the last fault %s", feed.fed(), watch.count(), happened)
                    .isLessThan(STUCK_AFTER.toNanos());
            restartEnded();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void restartEnded() throws IOException {
        for (int place = 0; place < service.size(); place++) {
            if (!service.instance(place).isAlive()) {
                endedByThemselves++;
                service.restart(place);
            }
        }
    }

    private void inject(Fault fault) throws IOException, InterruptedException {
        switch (fault.kind()) {
            case KILL -> {
                service.instance(fault.target()).killHard();
                TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
                service.restart(fault.target());
            }
            case PAUSE -> {
                service.instance(fault.target()).pause();
                TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
                service.instance(fault.target()).resume();
            }
            case STOP -> {
                service.instance(fault.target()).stop();
                TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
                service.restart(fault.target());
            }
            case ROLLING_RESTART -> {
                for (int place = 0; place < service.size(); place++) {
                    service.instance(place).stop();
                    service.restart(place);
                    TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
                }
            }
            case BROKER_LOSS -> {
                // Each instance may end once over it; none has a reason to where instances alone are hit.
                mayEndByThemselves += service.size();
                service.cluster().broker(fault.target()).killHard();
                TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
                service.cluster().broker(fault.target()).start();
            }
            case ADD -> service.add();
            case REMOVE -> service.remove(fault.target());
            case KILL_BOTH -> {
                int other = (fault.target() + 1) % service.size();
                killTwo(fault, () -> {}, other);
                service.restart(fault.target());
                service.restart(other);
            }
            case KILL_TWICE -> {
                killTwo(fault, () -> service.restart(fault.target()), fault.target());
                service.restart(fault.target());
            }
        }
    }

    private interface Between {
        void run() throws IOException;
    }

    private void killTwo(Fault fault, Between between, int second) throws IOException, InterruptedException {
        long firstNanos = System.nanoTime();
        service.instance(fault.target()).killHard();
        between.run();
        TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
        apart.add(Duration.ofNanos(System.nanoTime() - firstNanos));
        service.instance(second).killHard();
    }

    /** Everything has come out, so nothing is pending, and no transaction is open. */
    private void awaitCalm(OutputWatch watch, long fromNanos) {
        await("all is out")
                .atMost(calmLeft(fromNanos))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    restartEnded();
                    return watch.count() >= news.size();
                });
        await("no transaction is open")
                .atMost(calmLeft(fromNanos))
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .untilAsserted(() -> assertThat(OpenTransactions.partitions(service.servers()))
                        .isEmpty());
    }

    private static Duration calmLeft(long fromNanos) {
        Duration left = CALM_AFTER.minusNanos(System.nanoTime() - fromNanos);
        return left.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : left;
    }

    private void report(OutputWatch watch, long startNanos, long calmFromNanos) {
        Map<Kind, List<Long>> gaps = new EnumMap<>(Kind.class);
        for (int i = 0; i < happened.size(); i++) {
            long until = i + 1 < happened.size() ? happened.get(i + 1).atNanos() : System.nanoTime();
            gaps.computeIfAbsent(happened.get(i).kind(), kind -> new ArrayList<>())
                    .add(watch.longestGapMillis(happened.get(i).atNanos(), until));
        }
        System.out.println(news.size() + " documents, " + schedule.size() + " faults, "
                + schedule.stream().mapToInt(Fault::kills).sum() + " kills, between two of a pair: " + apart
                + ", instances ended by themselves: "
                + endedByThemselves + " of at most " + mayEndByThemselves + ", calm after the last fault: "
                + seconds(System.nanoTime() - calmFromNanos)
                + ", in all: " + seconds(System.nanoTime() - startNanos));
        System.out.println("longest gap of any partition, ms, 0 if below 1000: "
                + gaps.entrySet().stream().map(Object::toString).collect(Collectors.joining(", ")));
    }

    private static String seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
    }

    private void checkPromises() throws IOException {
        Judge judge = new Judge(news, Service.PARTITIONS);
        try (Outputs outputs = new Outputs(service.servers(), judge::take)) {
            outputs.await(news.size(), PATIENCE.plus(JUDGING.multipliedBy(news.size())));
            outputs.drain(Duration.ofSeconds(1));
        }
        judge.conclude();
        Promises.requireVerified(service.config(), news.size() <= VERIFIED_MAX);
    }
}
