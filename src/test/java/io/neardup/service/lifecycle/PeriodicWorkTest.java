package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.SettingsReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PeriodicWorkTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.neardup");

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Error> error = new CompletableFuture<>();
    private PeriodicWork periodic = new PeriodicWork(Duration.ZERO, error::complete);
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            logged.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    @BeforeEach
    void listen() {
        LOG.setLevel(Level.INFO);
        appender.start();
        LOG.addAppender(appender);
    }

    @AfterEach
    void close() {
        periodic.close();
        LOG.detachAppender(appender);
        LOG.setLevel(null);
    }

    @Test
    void shouldTellNothingOfAnAnswerThatIsWaitedForAsTheServiceEnds() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Admin admin = Admin.create(
                        Map.<String, Object>of("bootstrap.servers", "127.0.0.1:" + silent.getLocalPort()))) {
            ClusterAdmin topics = new ClusterAdmin(admin, "silent");
            SettingsReader reader = new SettingsReader(NeardupConfig.of(new Settings()), topics, "any");
            periodic.every(1, "look at what is noted", () -> {
                begun.complete(null);
                try {
                    reader.catchUp();
                } catch (RuntimeException e) {
                    ended.complete(e);
                    throw e;
                }
            });
            begun.join();

            periodic.close();

            assertThat(ended).succeedsWithin(PATIENCE).isInstanceOf(InterruptException.class);
            awaitNoThread();
            assertThat(logged).isEmpty();
            admin.close(Duration.ZERO);
        }
    }

    @Test
    void shouldReportAnErrorOfWhatItDoes() {
        Error memory = new OutOfMemoryError("test");

        periodic.every(1, "look", () -> {
            throw memory;
        });

        assertThat(error).succeedsWithin(PATIENCE).isSameAs(memory);
    }

    @Test
    void shouldInterruptNoneThatEndsSoon() {
        periodic = new PeriodicWork(Duration.ofMinutes(1), error::complete);
        CompletableFuture<Void> closing = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        periodic.every(1, "wait", () -> {
            begun.complete(null);
            closing.join();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        begun.join();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread closer = new Thread(() -> {
            periodic.close();
            closed.complete(null);
        });

        closer.start();
        await().atMost(PATIENCE).until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        closing.complete(null);

        assertThat(interrupted).succeedsWithin(PATIENCE).isEqualTo(false);
        assertThat(closed).succeedsWithin(PATIENCE);
    }

    @Test
    void shouldTellAFailureOnceAsLongAsItLastsAndGoOn() {
        AtomicInteger times = new AtomicInteger();
        periodic.every(1, "look", () -> {
            int time = times.incrementAndGet();
            if (time < 5) {
                throw new IllegalStateException("broken");
            } else if (time == 6) {
                throw new IllegalStateException("again");
            }
        });

        await().atMost(PATIENCE).until(() -> times.get() > 7);

        assertThat(logged)
                .containsExactly(
                        "WARN could not look, trying again; cause=java.lang.IllegalStateException: broken",
                        "WARN could not look, trying again; cause=java.lang.IllegalStateException: again");
    }

    private static void awaitNoThread() {
        await().atMost(PATIENCE).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals(PeriodicWork.THREAD)));
    }
}
