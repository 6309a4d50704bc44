package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.faults.FaultSchedule.Fault;
import io.neardup.faults.FaultSchedule.Kind;
import io.neardup.faults.Feed.Mix;
import io.neardup.testing.BrokerProcess;
import io.neardup.testing.Fed;
import io.neardup.testing.Judge;
import io.neardup.testing.Judge.Cutover;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OpenTransactions;
import io.neardup.testing.Outputs;
import io.neardup.testing.VerdictStories;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;

/**
 * A run of the service under a schedule of faults: a steady feed, and the promises in the end, judged from the topics
 * alone. Whoever ends by itself is started again, as the service asks of those who run it.
 */
final class FaultRun {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration STUCK_AFTER = Duration.ofMinutes(3);
    private static final Duration CALM_AFTER = Duration.ofSeconds(60);
    private static final Duration GAP_MAX = Duration.ofMinutes(1);

    /** A look takes time of its own, whatever is left. */
    private static final Duration LOOK_MIN = Duration.ofSeconds(5);

    /** Of more documents {@code verify} looks at a share of the buckets: what fits the heap. */
    private static final int VERIFIED_MAX = 300_000;

    /**
     * All that the log has of these faults at WARN or above, as each has something to do about it. Any other
     * line is one too many: see log.xml.
     */
    private static final List<Pattern> LOGGED = Stream.of(
                    "WARN  i[.a-z]*GuardedProducer a thread lost its tasks to others, .*",
                    "WARN  i[.a-z]*GuardedProducer giving up the open transaction, as the cluster did not answer .*",
                    "WARN  i[.a-z]*Alerts no broker answers; .*",
                    "WARN  i[.a-z]*StartChecks topic .*: expected [0-9]+ replicas in sync .*",
                    "WARN  i[.a-z]*Alerts topic .* partitions, .* wait for an index that takes over .*",
                    // A standby has no instance where one is left.
                    "WARN  o[.a-zA-Z]*StandbyTaskAssignor Unable to assign .*")
            .map(Pattern::compile)
            .toList();

    private final Service service;
    private final List<News> news;
    private final List<Fault> schedule;
    private final Map<String, Long> leftNanos = new ConcurrentHashMap<>();
    private final List<Long> startsNanos = new ArrayList<>();
    private final List<Duration> apart = new ArrayList<>();
    private int endedByThemselves;
    private int mayEndByThemselves;

    /**
     * What a run has shown.
     *
     * @param gaps by kind of fault, of each the longest time that nothing came of some input partition; 0 if below a
     *     second
     * @param apart between the two kills of a pair
     * @param calm from the last fault, or the end of the feed, until all was out and no transaction open
     */
    record Report(
            int documents,
            Map<Kind, List<Duration>> gaps,
            List<Duration> apart,
            int endedByThemselves,
            Duration calm,
            Duration inAll,
            Map<String, Integer> judged) {}

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
    Report run(int instances, int documentsPerSecond) throws Exception {
        long startNanos = System.nanoTime();
        for (int i = 0; i < instances; i++) {
            service.add();
        }
        service.awaitShared();
        Mix mix = service.mix();
        Cutover cutover = Cutover.NONE;
        List<Fed> fed;
        long calmFromNanos;
        Map<Kind, List<Duration>> gaps;
        try (OutputWatch watch = new OutputWatch(service.servers(), this::noteLeft);
                Feed feed = new Feed(service.servers(), mix, news, documentsPerSecond, behind(watch))) {
            for (Fault fault : schedule) {
                await(() -> feed.count() >= fault.afterDocuments(), feed, watch);
                startsNanos.add(System.nanoTime());
                inject(fault, feed);
            }
            calmFromNanos = System.nanoTime();
            if (schedule.stream().anyMatch(fault -> fault.kind() == Kind.HANDED_OVER)) {
                cutover = service.awaitTakenOver();
            } else {
                await(feed::isDone, feed, watch);
            }
            fed = feed.stop();
            calmFromNanos = Math.max(calmFromNanos, feed.lastFedNanos());
            awaitCalm(watch, fed.size(), calmFromNanos);
            gaps = gaps(watch);
        }
        Report report = new Report(
                fed.size(),
                gaps,
                apart,
                endedByThemselves,
                Duration.ofNanos(System.nanoTime() - calmFromNanos),
                Duration.ofNanos(System.nanoTime() - startNanos),
                judge(fed, cutover));
        System.out.println(report);
        assertThat(gaps.values()).allSatisfy(some -> assertThat(some).allMatch(gap -> gap.compareTo(GAP_MAX) < 0));
        assertThat(endedByThemselves).as("instances that ended by themselves").isLessThanOrEqualTo(mayEndByThemselves);
        assertThat(service.warnings())
                .as("lines in the logs that tell an operator nothing to do")
                .allMatch(line ->
                        LOGGED.stream().anyMatch(told -> told.matcher(line).matches()));
        for (int place = 0; place < service.size(); place++) {
            if (!service.mayEnd(place)) {
                assertThat(service.instance(place).stop()).isEqualTo(143);
            }
        }
        return report;
    }

    private void noteLeft(ConsumerRecord<byte[], byte[]> record) {
        if (service.mix().takesBack()) {
            leftNanos.put(Outputs.header(record, Fed.NAME), System.nanoTime());
        }
    }

    /** Where the input grows, what is in new partitions waits for the successor. */
    private IntSupplier behind(OutputWatch watch) {
        return service.mix().grows() ? () -> Integer.MAX_VALUE : watch::count;
    }

    private void await(BooleanSupplier isReached, Feed feed, OutputWatch watch)
            throws IOException, InterruptedException {
        while (!isReached.getAsBoolean()) {
            assertThat(System.nanoTime() - feed.lastFedNanos())
                    .describedAs(
                            "stuck: fed %d, out %d, after %d faults", feed.count(), watch.count(), startsNanos.size())
                    .isLessThan(STUCK_AFTER.toNanos());
            restartEnded();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void restartEnded() throws IOException {
        for (int place = 0; place < service.size(); place++) {
            if (!service.instance(place).isAlive() && !service.mayEnd(place)) {
                endedByThemselves++;
                service.restart(place);
            }
        }
    }

    private void inject(Fault fault, Feed feed) throws Exception {
        int target = fault.target();
        switch (fault.kind()) {
            case KILL -> away(fault, service.instance(target)::killHard, () -> service.restart(target));
            case PAUSE -> away(fault, service.instance(target)::pause, service.instance(target)::resume);
            case STOP -> away(fault, service.instance(target)::stop, () -> service.restart(target));
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
                BrokerProcess broker = service.cluster().broker(target);
                away(fault, broker::killHard, broker::start);
            }
            case ADD -> service.add();
            case REMOVE -> service.remove(target);
            case KILL_BOTH, KILL_TWICE -> killTwo(fault);
            case CUT_OFF -> away(fault, service.link(target)::cut, service.link(target)::mend);
            case FOLLOW -> {
                if (service.mix().grows()) {
                    feed.grow();
                }
                service.follow();
            }
            case CUT_OVER -> service.cutOver();
            case HANDED_OVER -> service.awaitHandedOver();
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void away(Fault fault, Step begin, Step end) throws Exception {
        begin.run();
        TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
        end.run();
    }

    /** Another one is killed soon after, or the same once it has been started again. */
    private void killTwo(Fault fault) throws IOException, InterruptedException {
        int first = fault.target();
        int second = fault.kind() == Kind.KILL_BOTH ? (first + 1) % service.size() : first;
        long firstNanos = System.nanoTime();
        service.instance(first).killHard();
        if (second == first) {
            service.restart(first);
        }
        TimeUnit.MILLISECONDS.sleep(fault.lastingMillis());
        apart.add(Duration.ofNanos(System.nanoTime() - firstNanos));
        service.instance(second).killHard();
        service.restart(second);
        if (second != first) {
            service.restart(first);
        }
    }

    /** Everything has come out, so nothing is pending, and no transaction is open. */
    private void awaitCalm(OutputWatch watch, int documents, long fromNanos) {
        Awaitility.await("all is out")
                .atMost(calmLeft(fromNanos))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    restartEnded();
                    return watch.count() >= documents;
                });
        Awaitility.await("no transaction is open")
                .atMost(calmLeft(fromNanos))
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .untilAsserted(() -> assertThat(OpenTransactions.partitions(service.servers()))
                        .isEmpty());
    }

    private static Duration calmLeft(long fromNanos) {
        Duration left = CALM_AFTER.minusNanos(System.nanoTime() - fromNanos);
        return left.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : left;
    }

    private Map<Kind, List<Duration>> gaps(OutputWatch watch) {
        Map<Kind, List<Duration>> gaps = new EnumMap<>(Kind.class);
        for (int i = 0; i < schedule.size(); i++) {
            long until = i + 1 < schedule.size() ? startsNanos.get(i + 1) : System.nanoTime();
            gaps.computeIfAbsent(schedule.get(i).kind(), kind -> new ArrayList<>())
                    .add(watch.longestGap(startsNanos.get(i), until));
        }
        return gaps;
    }

    private Map<String, Integer> judge(List<Fed> fed, Cutover cutover) throws IOException {
        Judge judge = new Judge(fed, leftNanos, cutover);
        try (Outputs outputs = new Outputs(service.servers(), judge::take)) {
            outputs.await(fed.size(), PATIENCE.plusMillis(fed.size()));
            outputs.drain(Duration.ofSeconds(1));
        }
        if (service.config().writesStories()) {
            VerdictStories.awaitVerdicts(service.servers(), fed.size()).awaitTold(service.servers());
        }
        Judge.requireVerified(service.config(), fed.size() <= VERIFIED_MAX);
        return judge.conclude(service.config(), service.hashSeed());
    }
}
