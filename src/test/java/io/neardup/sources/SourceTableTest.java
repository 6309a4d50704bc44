package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import io.neardup.architecture.Classes;
import io.neardup.sources.Statement.Kind;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table and the tests belong together: nothing is executed on paper only, and nothing is left out without a word.
 */
class SourceTableTest {
    private static final Map<Kind, Integer> COUNTS = Map.of(
            Kind.EXECUTED, 92,
            Kind.ARITHMETIC, 20,
            Kind.EXECUTED_BESIDE_TEXTS, 5,
            Kind.PROSE, 6,
            Kind.LICENSED_DATA, 4,
            Kind.OTHER_DATA, 4);

    @Test
    void shouldHaveATestOfEveryStatementThatIsTested() {
        Set<String> tested = idsWhere(statement -> statement.kind().isTested());

        assertThat(idsOfTests(test -> true)).containsAll(tested);
    }

    @Test
    void shouldHaveNoTestOfAnUnknownStatement() {
        assertThat(idsWhere(statement -> true)).containsAll(idsOfTests(test -> true));
    }

    @Test
    void shouldCallThisCodeInTestsAgainstItAndNotInArithmetic() {
        Set<String> calling = idsOfTests(test -> isCallingMainCode(test, new HashSet<>()));

        assertThat(calling)
                .containsAll(idsWhere(statement -> statement.kind().isAgainstCode()))
                .doesNotContainAnyElementsOf(idsWhere(statement -> statement.kind() == Kind.ARITHMETIC));
    }

    @Test
    void shouldSayWhyAStatementIsNotExecuted() {
        assertThat(SourceTable.statements())
                .filteredOn(statement -> !statement.kind().isTested() || statement.kind() == Kind.EXECUTED_BESIDE_TEXTS)
                .allSatisfy(statement ->
                        assertThat(statement.note()).as(statement.id()).isNotBlank());
    }

    @Test
    void shouldHaveWhatToConfirmOrTheReasonWhyNot() {
        assertThat(SourceTable.statements())
                .filteredOn(statement -> statement.kind().isTested())
                .allSatisfy(statement -> assertThat(!statement.expected().isEmpty()
                                || !statement.note().isBlank())
                        .as(statement.id())
                        .isTrue());
    }

    @Test
    void shouldCountWhatBecomesOfTheStatements() {
        Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        SourceTable.statements().forEach(statement -> counts.merge(statement.kind(), 1, Integer::sum));

        assertThat(counts).isEqualTo(COUNTS);
        System.out.println(summary(counts));
    }

    private static String summary(Map<Kind, Integer> counts) {
        int executed = counts.getOrDefault(Kind.EXECUTED, 0);
        int besideTexts = counts.getOrDefault(Kind.EXECUTED_BESIDE_TEXTS, 0);
        return SourceTable.statements().size() + " statements: " + (executed + besideTexts) + " against the code, "
                + besideTexts + " of them where the texts lie beside the project, " + counts.get(Kind.ARITHMETIC)
                + " arithmetic, " + counts.get(Kind.PROSE) + " prose, " + counts.get(Kind.LICENSED_DATA)
                + " need licensed data, " + counts.get(Kind.OTHER_DATA)
                + " need other data";
    }

    private static Set<String> idsWhere(Predicate<Statement> chosen) {
        return SourceTable.statements().stream()
                .filter(chosen)
                .map(Statement::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> idsOfTests(Predicate<JavaMethod> chosen) {
        return Classes.TESTS.stream()
                .map(JavaClass::getMethods)
                .flatMap(Set::stream)
                .filter(chosen)
                .flatMap(SourceTableTest::idsOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> idsOf(JavaMethod method) {
        return method.isAnnotatedWith(StatementTest.class)
                ? Stream.of(method.getAnnotationOfType(StatementTest.class).value())
                : Stream.empty();
    }

    /** Itself or by what it calls in the tests; that a statement reads its cells by our types is no such call. */
    private static boolean isCallingMainCode(JavaCodeUnit code, Set<String> seen) {
        return seen.add(code.getFullName())
                && code.getAccessesFromSelf().stream()
                        .filter(access ->
                                access.getTargetOwner().getPackageName().startsWith("io.neardup")
                                        && !access.getTargetOwner().isEquivalentTo(Statement.class))
                        .anyMatch(access -> isOnMainCode(access, seen));
    }

    private static boolean isOnMainCode(JavaAccess<?> access, Set<String> seen) {
        return !Classes.TESTS.contain(access.getTargetOwner().getName())
                || (access.getTarget().resolveMember().orElse(null) instanceof JavaCodeUnit called
                        && isCallingMainCode(called, seen));
    }
}
