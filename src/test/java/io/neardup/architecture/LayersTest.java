package io.neardup.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.neardup.protocol.Ref;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Outline;
import io.neardup.sketch.Similarity;
import io.neardup.sketch.SimilarityJudge;
import io.neardup.sketch.SketchCut;
import io.neardup.sketch.SketchTable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may use whom: what a package needs is listed here, and nothing else. */
class LayersTest {
    private static final String ROOT = "io.neardup.";
    private static final String[] CORE = {
        ROOT + "text", ROOT + "sketch", ROOT + "family", ROOT + "lsh", ROOT + "protocol"
    };

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.neardup");

    @ParameterizedTest
    @CsvSource({
        "text,     ''",
        "sketch,   text",
        "family,   text sketch",
        "lsh,      ''",
        // Of sketch it knows three types, of no text: below.
        "protocol, lsh sketch",
        "html,     org.jsoup..",
        "document, html com.fasterxml.jackson.core..",
        "feed,     document html com.fasterxml.jackson.. org.jsoup.. org.netpreserve.jwarc.. com.github.luben.zstd.."
                + " javax.xml.stream..",
        "wire,     text sketch lsh protocol document",
        "bandlog,  lsh protocol wire",
        "originals, org.rocksdb.. org.slf4j..",
        "config,   text sketch family lsh protocol html org.apache.kafka.common.config..",
        "signing,  text sketch family lsh protocol document config",
        "clock,    ''",
        "metrics,  ''",
        "verdict,  sketch com.fasterxml.jackson..",
        "cutover,  com.fasterxml.jackson..",
        "streams.output, org.apache.kafka.. org.slf4j..",
        "streams.input, protocol org.apache.kafka.. org.slf4j..",
        "streams,  text sketch family lsh protocol document signing wire bandlog originals config metrics verdict"
                + " cutover streams.input streams.output org.apache.kafka.. org.slf4j.. com.fasterxml.jackson..",
        "check,    family lsh protocol document signing wire config streams org.apache.kafka.. org.slf4j..",
        "texts,    text document signing config streams org.apache.kafka.. org.slf4j.. com.github.difflib..",
        "app,      check texts protocol originals signing config clock metrics verdict cutover streams streams.input"
                + " org.apache.kafka.. org.slf4j.. com.fasterxml.jackson..",
        "http,     family lsh sketch protocol check texts config clock metrics cutover app org.eclipse.jetty.."
                + " org.slf4j.. io.prometheus.metrics.. com.fasterxml.jackson..",
        "audit,    sketch family lsh protocol document signing config verdict streams app org.apache.kafka..",
        "redrive,  document config streams app publish org.apache.kafka..",
        "local,    sketch document feed publish signing config streams app http org.apache.kafka.. kafka.. scala.."
                + " org.slf4j.. com.fasterxml.jackson..",
        "publish,  feed app org.apache.kafka..",
        "diff,     sketch verdict document feed signing config streams app analysis org.apache.kafka..",
        "analysis, text sketch family lsh protocol document feed signing config local",
        "bench,    config streams app local org.apache.kafka.. org.slf4j.. com.fasterxml.jackson.. org.knowm.xchart.."
                + " org.HdrHistogram.. javax.management.. com.sun.management.. jdk.jfr..",
    })
    void shouldUseOnlyWhatItsLayerMay(String name, String uses) {
        String[] allowed = Stream.concat(
                        Stream.of(ROOT + name, "java..", "org.jspecify.annotations"),
                        Arrays.stream(uses.split(" "))
                                .filter(use -> !use.isEmpty())
                                .map(LayersTest::packageOf))
                .toArray(String[]::new);

        classes()
                .that()
                .resideInAPackage(ROOT + name)
                .should()
                .onlyDependOnClassesThat(elementIn(allowed))
                .check(CLASSES);
    }

    private static String packageOf(String use) {
        return use.endsWith("..") || use.startsWith("org.") || use.startsWith("jdk.") ? use : ROOT + use;
    }

    /** An array is where its elements are. */
    private static DescribedPredicate<JavaClass> elementIn(String... packages) {
        DescribedPredicate<JavaClass> inside = JavaClass.Predicates.resideInAnyPackage(packages);
        return DescribedPredicate.describe(
                "reside in any of " + List.of(packages),
                type -> type.getBaseComponentType().isPrimitive() || inside.test(type.getBaseComponentType()));
    }

    @Test
    void shouldHideSignaturesAndTextsFromTheProtocol() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "protocol")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(ROOT + "sketch")
                        .and(DescribedPredicate.not(JavaClass.Predicates.belongToAnyOf(
                                Evidence.class,
                                Similarity.class,
                                SimilarityJudge.class,
                                Outline.class,
                                Outline[].class,
                                BitSketch.class,
                                SketchCut.class,
                                SketchTable.class))))
                .check(CLASSES);
    }

    @Test
    void shouldLetTheServiceKnowNoMoreOfTheProtocolThanRefs() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "app")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(ROOT + "protocol")
                        .and(DescribedPredicate.not(JavaClass.Predicates.belongToAnyOf(Ref.class))))
                .check(CLASSES);
    }

    @Test
    void shouldGiveTheCoreNoClockAndNoRandomness() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Clock.class,
                        Random.class,
                        SecureRandom.class,
                        SplittableRandom.class,
                        ThreadLocalRandom.class,
                        UUID.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Math.class, "random")
                .check(CLASSES);
    }

    @Test
    void shouldPrintFromTheCommandLineOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "cli")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging")
                .check(CLASSES);
    }

    @Test
    void shouldBenchmarkFromTheCommandLineOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "bench", ROOT + "cli")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "bench")
                .check(CLASSES);
    }

    @Test
    void shouldEndTheProcessInMainOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ROOT + "cli.Main")
                .should()
                .callMethod(System.class, "exit", int.class)
                .check(CLASSES);
    }

    @Test
    void shouldHaveNoCyclesBetweenPackages() {
        slices().matching("io.neardup.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldBeNonNullByDefaultInEveryPackage() {
        List<JavaPackage> packages =
                CLASSES.getPackage("io.neardup").getSubpackagesInTree().stream().toList();

        assertThat(packages).isNotEmpty().allSatisfy(checked -> assertThat(checked.isAnnotatedWith(NullMarked.class))
                .describedAs("%s/package-info.java has @NullMarked", checked.getName())
                .isTrue());
    }
}
