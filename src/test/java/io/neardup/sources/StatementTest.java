package io.neardup.sources;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A test of statements of the sources: it runs once for each, with the {@link Statement} as its argument. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(StatementsById.class)
public @interface StatementTest {
    /** Ids in the {@link SourceTable}. */
    String[] value();
}
