package io.neardup.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/**
 * Tasks that block have threads of their own. The common pool has one thread on two cores, and since JDK 25 {@code
 * CompletableFuture} uses it even then: two tasks that wait for one another never end.
 */
class ThreadsTest {
    /** Of program and tests. What they use is not read: the names of its classes are enough. */
    private static final JavaClasses CLASSES = ArchConfiguration.withThreadLocalScope(configuration -> {
        configuration.setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter().importPackages("io.neardup");
    });

    @Test
    void shouldNameTheExecutorOfEveryAsynchronousTask() {
        noClasses()
                .should()
                .callMethodWhere(
                        DescribedPredicate.describe("it leaves a task to the common pool", ThreadsTest::isShared))
                .check(CLASSES);
    }

    private static boolean isShared(JavaCall<?> call) {
        JavaClass owner = call.getTargetOwner();
        return call.getName().endsWith("Async")
                && (owner.isEquivalentTo(CompletableFuture.class) || owner.isEquivalentTo(CompletionStage.class))
                && call.getTarget().getRawParameterTypes().stream()
                        .noneMatch(parameter -> parameter.isEquivalentTo(Executor.class));
    }
}
