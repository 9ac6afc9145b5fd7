/** The OAuth exchange with a provider: redirecting to it, and getting the profile afterwards. */
import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  protectedResourceRequest,
  validateAuthResponse,
} from "oauth4webapi";
import { membersOf } from "../body-check.ts";
import type { Profile, Provider, ProviderConfig } from "./providers.ts";
import { requestOptions } from "./requests.ts";

/** The address to redirect the browser to, and the state to keep until it returns. */
export const depart = async ({ server, scope }: Provider, config: ProviderConfig, redirectUri: string) => {
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const address = new URL(server.authorization_endpoint ?? "");
  const parameters = {
    client_id: config.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: (config.scope ?? scope).join(" "),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { address: address.href, state, verifier };
};

/** Exchanges the code that the browser brought back for the user's profile. Throws the errors of the OAuth library. */
export const arrive = async (
  provider: Provider,
  config: ProviderConfig,
  redirectUri: string,
  { parameters, state, verifier }: { parameters: URLSearchParams; state: string; verifier: string },
): Promise<Profile> => {
  const { server } = provider;
  const client = { client_id: config.clientId };
  const checked = validateAuthResponse(server, client, parameters, state);
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    ClientSecretPost(config.clientSecret),
    checked,
    redirectUri,
    verifier,
    requestOptions(server.token_endpoint),
  );
  const tokens = await processAuthorizationCodeResponse(server, client, response);
  const profile = await fetchJson(tokens.access_token, provider.profileAddress);
  const read = provider.read(profile);
  if (read.email !== undefined || !provider.emailsAddress) return read;
  return withEmail(read, await fetchJson(tokens.access_token, provider.emailsAddress));
};

const fetchJson = async (accessToken: string, address: URL): Promise<unknown> => {
  const headers = new Headers({ accept: "application/json", "user-agent": "galley-cms" });
  const options = requestOptions(address.href);
  const response = await protectedResourceRequest(accessToken, "GET", address, headers, null, options);
  if (!response.ok) throw new Error(`${address.host} answered ${response.status}.`);
  return response.json();
};

/** The profile with the primary address of a list. */
const withEmail = (profile: Profile, emails: unknown): Profile => {
  const primary = (Array.isArray(emails) ? emails : []).map(membersOf).find(({ primary }) => primary === true);
  return typeof primary?.email === "string"
    ? { ...profile, email: primary.email.toLowerCase(), emailVerified: primary.verified === true }
    : profile;
};
