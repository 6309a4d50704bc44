package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** The log settings that the program is shipped with. */
class LogLayoutTest {
    private static final String TIME = "[0-9:.]{12} ";

    /** What is printed to standard error. */
    private static String logged(String logger, Consumer<Logger> logging) throws Exception {
        return logged("text", logger, logging);
    }

    private static String logged(String format, String logger, Consumer<Logger> logging) throws Exception {
        return logged(
                Map.of("neardup.log.level", "TRACE", "neardup.log.kafka", "TRACE", "neardup.log.format", format),
                logger,
                logging);
    }

    private static String logged(Map<String, String> options, String logger, Consumer<Logger> logging)
            throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, UTF_8));
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        try {
            options.forEach(context::putProperty);
            JoranConfigurator configurator = new JoranConfigurator();
            configurator.setContext(context);
            configurator.doConfigure(LogLayoutTest.class.getResource("log.xml"));
            logging.accept(context.getLogger(logger));
        } finally {
            context.stop();
            System.setErr(before);
        }
        return printed.toString(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001B", "\u007F", "\u009B", "\u202E", "\u2066", "\u0007", "\b"})
    void shouldReplaceWhatATerminalTakesForACommand(String hidden) throws Exception {
        assertThat(logged("io.neardup.x", log -> log.warn("a{}b", hidden)))
                .matches(TIME + "WARN  io.neardup.x a\\?b\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029", "\n\n  "})
    void shouldKeepAMessageOnOneLine(String end) throws Exception {
        assertThat(logged("io.neardup.x", log -> log.warn("one{}two", end)))
                .matches(TIME + "WARN  io.neardup.x one / two\n");
    }

    @Test
    void shouldLeaveItToAnApplicationThatIsBuiltOnThisWhereItsLogGoes() {
        assertThat(Main.class.getResource("/logback.xml")).isNull();
        assertThat(Main.class.getResource("/log4j2.xml")).isNull();
    }

    @Test
    void shouldSetOffTheLinesOfAFailure() throws Exception {
        Exception failure = new IllegalStateException("one\n12:00:00.000 ERROR forged \u001B[2J");
        assertThat(logged("io.neardup.x", log -> log.error("stopping", failure)))
                .contains("ERROR io.neardup.x stopping\njava.lang.IllegalStateException: one\n  12:00:00.000 ERROR"
                        + " forged ?[2J\n")
                .contains("\n\tat " + LogLayoutTest.class.getName())
                .endsWith("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.neardup.x", "org.apache.kafka.clients.producer.KafkaProducer", "kafka.x"})
    void shouldPrintNothingBelowDebug(String logger) throws Exception {
        assertThat(logged(logger, log -> log.trace("a record"))).isEmpty();
        assertThat(logged(logger, log -> log.debug("a step"))).contains("DEBUG").contains("a step");
    }

    @ParameterizedTest
    @CsvSource({
        // FaultsIT looks at whole logs; a fault of it need not come each time.
        "WARN, clients.NetworkClient, a broker is away, false",
        "WARN, clients.consumer.internals.ConsumerCoordinator, a broker is away, false",
        "WARN, streams.processor.internals.StoreChangelogReader, a broker is away, false",
        "WARN, streams.processor.internals.StateDirectory, Failed to register startup state stores, false",
        // Also what is an error to them: it comes to us as an exception, or is tried again.
        "ERROR, clients.admin.internals.PartitionLeaderStrategy, Received unknown topic error, false",
        "ERROR, clients.producer.internals.Sender, Aborting producer batches due to fatal error, false",
        "ERROR, streams.processor.internals.DefaultStateUpdater, An unexpected error occurred, false",
        "ERROR, streams.processor.internals.StreamsRebalanceListener, Received error code, false",
        // Nobody else tells of these.
        "ERROR, clients.Metadata, it, true",
        "ERROR, clients.NetworkClient, it, true",
        "ERROR, clients.producer.internals.TransactionManager, it, true",
        "ERROR, streams.processor.internals.StateDirectory, it, true"
    })
    void shouldPrintOfKafkaWhatNobodyElseTells(Level level, String name, String message, boolean isPrinted)
            throws Exception {
        String logger = "org.apache.kafka." + name;

        assertThat(logged(Map.of(), logger, log -> log.atLevel(level).log(message))
                        .contains(message))
                .isEqualTo(isPrinted);
        assertThat(logged(Map.of("neardup.log.ordinary", "DEBUG"), logger, log -> log.atLevel(level)
                        .log(message)))
                .contains(message);
    }

    @Test
    void shouldPrintAJsonObjectALine() throws Exception {
        Exception failure = new IllegalStateException("one\ntwo");

        String printed = logged("json", "io.neardup.x", log -> log.error("stopping {}\nnow", "it", failure));

        assertThat(printed).matches("[^\n]+\n");
        JsonNode line = new ObjectMapper().readTree(printed);
        assertThat(line.get("level").asText()).isEqualTo("ERROR");
        assertThat(line.get("loggerName").asText()).isEqualTo("io.neardup.x");
        assertThat(line.get("formattedMessage").asText()).isEqualTo("stopping it\nnow");
        assertThat(line.get("throwable").get("message").asText()).isEqualTo("one\ntwo");
        assertThat(line.has("arguments")).isFalse();
        assertThat(logged("json", "kafka.x", log -> log.trace("a record"))).isEmpty();
    }
}
