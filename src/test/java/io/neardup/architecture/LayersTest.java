package io.neardup.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.syntax.elements.ClassesShould;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.BitmapCache;
import io.neardup.engine.similarity.BitmapFilter;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.SketchTable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Six layers of packages: each uses what is below it, and nothing above. */
public class LayersTest {
    private static final String ROOT = "io.neardup.";
    private static final String ENGINE = ROOT + "engine..";

    /** The classes of program and tests. Of what these use there are names alone. */
    private static final JavaClasses ALL = ArchConfiguration.withThreadLocalScope(configuration -> {
        configuration.setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter().importPackages("io.neardup");
    });

    private static final JavaClasses PROGRAM = ALL.that(DescribedPredicate.describe(
            "are of the program",
            type -> ImportOption.Predefined.DO_NOT_INCLUDE_TESTS.includes(
                    Location.of(type.getSource().orElseThrow().getUri()))));

    /**
     * The packages, from the lowest layer up, each with the libraries it may use. A package may use those of the layers
     * below its own, and those of its own layer that stand before it here.
     */
    private static final String[] PACKAGES = {
        "engine.text org.jsoup..",
        "engine.similarity",
        "engine.lsh",
        "engine.protocol",
        "record com.fasterxml.jackson.. crawlercommons.domains.. org.apache.avro.. javax.net.ssl..",
        "config",
        "library",
        "streams.metrics org.apache.kafka..",
        "streams.input org.apache.kafka.. org.slf4j..",
        "streams.store org.apache.kafka.. org.rocksdb.. org.slf4j.. com.fasterxml.jackson..",
        "streams.topology org.apache.kafka.. org.slf4j.. com.fasterxml.jackson.. com.dynatrace.hash4j..",
        "service.cluster org.apache.kafka.. org.slf4j.. com.fasterxml.jackson..",
        "service.migration org.apache.kafka.. org.slf4j.. com.fasterxml.jackson..",
        "service.lifecycle org.apache.kafka.. org.slf4j.. com.sun.management..",
        "service.http org.apache.kafka.. org.eclipse.jetty.. io.prometheus.metrics.. org.slf4j.."
                + " com.fasterxml.jackson.. com.github.difflib..",
        "tools.feed com.fasterxml.jackson.. org.jsoup.. org.netpreserve.jwarc.. com.github.luben.zstd.."
                + " org.apache.commons.io.. org.apache.kafka..",
        "tools.local org.apache.kafka.. kafka.. scala.. org.slf4j.. com.fasterxml.jackson..",
        "tools.analysis org.apache.kafka.. com.fasterxml.jackson..",
        "tools.audit org.apache.kafka.. com.fasterxml.jackson..",
        "tools.cli picocli.. org.knowm.xchart.. org.apache.kafka.. com.fasterxml.jackson.. ch.qos.logback.."
                + " org.slf4j..",
    };

    public static List<String> packageNames() {
        return Arrays.stream(PACKAGES).map(row -> row.split(" ", -1)[0]).toList();
    }

    @ParameterizedTest
    @MethodSource("packageNames")
    void shouldUseOnlyLayersBelowAndPackagesBefore(String name) {
        int at = packageNames().indexOf(name);
        String[] allowed = Stream.concat(
                        packageNames().subList(0, at + 1).stream().map(below -> ROOT + below),
                        Stream.concat(
                                Stream.of("java..", "org.jspecify.annotations"),
                                Arrays.stream(PACKAGES[at].split(" ", -1)).skip(1)))
                .toArray(String[]::new);

        classes()
                .that()
                .resideInAPackage(ROOT + name)
                .should()
                .onlyDependOnClassesThat(elementIn(allowed))
                .check(PROGRAM);
    }

    /** An array is where its elements are. */
    private static DescribedPredicate<JavaClass> elementIn(String... packages) {
        DescribedPredicate<JavaClass> inside = JavaClass.Predicates.resideInAnyPackage(packages);
        return DescribedPredicate.describe(
                "reside in any of " + List.of(packages),
                type -> type.getBaseComponentType().isPrimitive() || inside.test(type.getBaseComponentType()));
    }

    /** What no class of these packages does. */
    private static ClassesShould nothingIn(String... packages) {
        return noClasses().that().resideInAnyPackage(packages).should();
    }

    private static DescribedPredicate<JavaClass> allBut(String name, Class<?>... known) {
        return JavaClass.Predicates.resideInAPackage(ROOT + name)
                .and(DescribedPredicate.not(JavaClass.Predicates.belongToAnyOf(known)));
    }

    @Test
    void shouldHideSignaturesAndTextsFromTheProtocol() {
        Class<?>[] known = {
            Evidence.class,
            Similarity.class,
            SimilarityJudge.class,
            BitmapFilter.class,
            BitmapFilter[].class,
            BitSketch.class,
            SketchTable.class,
            BitmapCache.class
        };
        nothingIn(ROOT + "engine.protocol")
                .dependOnClassesThat(allBut("engine.similarity", known))
                .check(PROGRAM);
    }

    @Test
    void shouldLetTheServiceKnowNoMoreOfTheProtocolThanRefs() {
        nothingIn(ROOT + "service.cluster", ROOT + "service.migration")
                .dependOnClassesThat(allBut("engine.protocol", DocumentRef.class))
                .check(PROGRAM);
    }

    /** Methods of these names of these classes, called or handed on as method references. */
    private static DescribedPredicate<JavaAccess<?>> oneOf(List<Class<?>> owners, String... names) {
        return DescribedPredicate.describe(
                "it is one of " + List.of(names),
                access -> owners.stream().anyMatch(access.getTargetOwner()::isEquivalentTo)
                        && List.of(names).contains(access.getName()));
    }

    @Test
    void shouldGiveTheCoreNoClockAndNoRandomness() {
        Class<?>[] impure = {
            Clock.class, Random.class, SecureRandom.class, SplittableRandom.class, ThreadLocalRandom.class, UUID.class
        };
        nothingIn(ENGINE).dependOnClassesThat().belongToAnyOf(impure).check(PROGRAM);
        nothingIn(ENGINE)
                .accessTargetWhere(oneOf(
                        List.of(System.class, Instant.class, LocalDate.class, LocalDateTime.class, Math.class),
                        "currentTimeMillis",
                        "nanoTime",
                        "now",
                        "random"))
                .check(PROGRAM);
    }

    @Test
    void shouldPrintFromTheCommandLineOnly() {
        ClassesShould nothingElse =
                noClasses().that().resideOutsideOfPackage(ROOT + "tools.cli").should();
        nothingElse.accessField(System.class, "out").check(PROGRAM);
        nothingElse.accessField(System.class, "err").check(PROGRAM);
        nothingElse.dependOnClassesThat().resideInAPackage("java.util.logging").check(PROGRAM);
    }

    @Test
    void shouldEndTheProcessInMainOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ROOT + "tools.cli.Main")
                .should()
                .accessTargetWhere(oneOf(List.of(System.class, Runtime.class), "exit", "halt"))
                .check(PROGRAM);
    }

    @Test
    void shouldHaveNoPackageBesideThese() {
        assertThat(PROGRAM.stream()
                        .map(type -> type.getPackageName().substring(ROOT.length() - 1))
                        .filter(name -> !name.isEmpty())
                        .map(name -> name.substring(1))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(packageNames());
    }

    @Test
    void shouldBeNonNullByDefaultInEveryPackage() {
        List<JavaPackage> packages = PROGRAM.getPackage("io.neardup").getSubpackagesInTree().stream()
                .filter(checked -> !checked.getClasses().isEmpty())
                .toList();

        assertThat(packages).isNotEmpty().allSatisfy(checked -> assertThat(checked.isAnnotatedWith(NullMarked.class))
                .describedAs("%s/package-info.java has @NullMarked", checked.getName())
                .isTrue());
    }

    /**
     * Tasks that block have threads of their own, in tests too. The common pool has one thread on two cores, and since
     * JDK 25 {@code CompletableFuture} uses it even then: two tasks that wait for one another never end.
     */
    @Test
    void shouldNameTheExecutorOfEveryAsynchronousTask() {
        noClasses()
                .should()
                .accessTargetWhere(
                        DescribedPredicate.describe("it leaves a task to the common pool", LayersTest::isShared))
                .check(ALL);
    }

    private static boolean isShared(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        return access.getTarget() instanceof CodeUnitAccessTarget target
                && target.getName().endsWith("Async")
                && (owner.isEquivalentTo(CompletableFuture.class) || owner.isEquivalentTo(CompletionStage.class))
                && target.getRawParameterTypes().stream()
                        .noneMatch(parameter -> parameter.isEquivalentTo(Executor.class));
    }
}
