package io.neardup.tools.cli;

import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a running service answers over HTTP, and how it lets one in. */
final class ServiceOptions {
    /** Where {@code local --serve} answers. */
    static final String DEFAULT_URL = "http://127.0.0.1:8080";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where an instance answers over HTTP, by neardup.http.listen: http://host:port.")
    private @Nullable String url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "The file of the token that the instance wants, by neardup.http.token.file.")
    private @Nullable Path tokenFile;

    Optional<String> url() {
        return Optional.ofNullable(url);
    }

    boolean isTokenGiven() {
        return tokenFile != null;
    }

    /** Refuses an address that is none, and a file without a token. */
    ServiceClient client(ToolCommand command) throws IOException {
        String asked = url == null ? DEFAULT_URL : url;
        command.check(ServiceClient.isUrl(asked), "--url", "http://host:port of a service", asked);
        if (tokenFile == null) {
            return new ServiceClient(asked, Optional.empty());
        }
        String token = TextFile.read(tokenFile).strip();
        if (!token.matches("[!-~]{1,512}")) {
            throw new UnusableFileException(
                    tokenFile + ": expected a token of visible ASCII characters, found another content");
        }
        return new ServiceClient(asked, Optional.of(token));
    }
}
