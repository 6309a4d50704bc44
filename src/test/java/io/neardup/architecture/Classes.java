package io.neardup.architecture;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** The classes of program and tests, read once for all who look at them. Of what these use there are names alone. */
public final class Classes {
    public static final JavaClasses ALL = ArchConfiguration.withThreadLocalScope(configuration -> {
        configuration.setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter().importPackages("io.neardup");
    });

    public static final JavaClasses TESTS = ALL.that(DescribedPredicate.describe("are tests", type -> isOfTests(type)));

    public static final JavaClasses PROGRAM =
            ALL.that(DescribedPredicate.describe("are of the program", type -> !isOfTests(type)));

    private Classes() {}

    private static boolean isOfTests(JavaClass type) {
        return ImportOption.Predefined.ONLY_INCLUDE_TESTS.includes(
                Location.of(type.getSource().orElseThrow().getUri()));
    }
}
