package io.neardup.tools.cli;

import io.neardup.config.ListenAddress;
import io.neardup.config.NeardupConfig;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a running service answers over HTTP, and how it lets one in. */
final class ServiceOptions {
    /** Where {@code local --serve} answers. */
    static final String DEFAULT_URL = "http://127.0.0.1:8080";

    /** A service that listens there does so at every address of its machine. */
    private static final Set<String> ANY = Set.of("0.0.0.0", "[::]");

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
    void check(ToolCommand command) throws IOException {
        command.check(url == null || ServiceClient.isUrl(url), "--url", "http://host:port of a service", "" + url);
        Optional<String> unused = token(Optional.ofNullable(tokenFile));
    }

    /** Speaks to the address that was given, or to another. */
    ServiceClient clientOr(String otherUrl) throws IOException {
        return new ServiceClient(url == null ? otherUrl : url, token(Optional.ofNullable(tokenFile)));
    }

    /** Speaks to the address that was given, or to that of the settings with their token, or to the usual one. */
    ServiceClient clientOf(NeardupConfig config) throws IOException {
        Optional<ListenAddress> listens = config.httpListen().filter(address -> address.port() > 0);
        if (url != null || listens.isEmpty()) {
            return clientOr(DEFAULT_URL);
        }
        ListenAddress address = listens.get();
        String host = ANY.contains(address.host()) ? "127.0.0.1" : address.host();
        return new ServiceClient(
                "http://" + host + ":" + address.port(),
                token(Optional.ofNullable(tokenFile).or(config::httpTokenFile)));
    }

    /** The token in a file. */
    private static Optional<String> token(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return Optional.empty();
        }
        String token = TextFile.read(file.get()).strip();
        if (!token.matches("[!-~]{1,512}")) {
            throw new UnusableFileException(
                    file.get() + ": expected a token of visible ASCII characters, found another content");
        }
        return Optional.of(token);
    }
}
