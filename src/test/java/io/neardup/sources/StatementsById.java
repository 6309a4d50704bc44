package io.neardup.sources;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Gives a {@link StatementTest} the statements that it names. */
final class StatementsById implements ArgumentsProvider, AnnotationConsumer<StatementTest> {
    private List<String> ids = List.of();

    @Override
    public void accept(StatementTest test) {
        ids = Arrays.asList(test.value());
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return ids.stream().map(SourceTable::statement).map(Arguments::of);
    }
}
