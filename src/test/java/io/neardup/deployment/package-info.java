/** Image, Compose, Kubernetes, dashboard and alerts, against the build, their schemas and what is exported. */
@org.jspecify.annotations.NullMarked
package io.neardup.deployment;
