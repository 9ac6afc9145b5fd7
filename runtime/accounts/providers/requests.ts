/** What all requests to providers share, and the request for an issuer's metadata. */
import {
  allowInsecureRequests,
  type AuthorizationServer,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";

/** Milliseconds that a provider has to respond. */
const PATIENCE = 10_000;

/** Options of all requests to a provider. Plain HTTP is allowed only for a provider on this machine. */
export const requestOptions = (address: string | undefined) => ({
  signal: () => AbortSignal.timeout(PATIENCE),
  [allowInsecureRequests]: ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address ?? "").hostname),
});

/** The metadata that an OpenID issuer publishes. */
export const discover = async (issuer: string): Promise<AuthorizationServer> => {
  const address = new URL(issuer);
  return processDiscoveryResponse(address, await discoveryRequest(address, requestOptions(issuer)));
};
