import { Button, Center, Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { RequestError } from "./api/client.ts";
import { type Model, ModelContext, useDescription } from "./api/description.ts";
import { EditPage } from "./edit/page.tsx";
import { useText } from "./i18n/index.ts";
import { ListPage } from "./list/page.tsx";
import { useSession } from "./session/session.tsx";
import { hrefOf } from "./shell/navigation.tsx";
import { Shell } from "./shell/shell.tsx";
import { Boundary } from "./ui/boundary.tsx";
import { Empty, Failed, LoadingRows } from "./ui/states.tsx";

const MediaPage = lazy(async () => ({ default: (await import("./media/page.tsx")).MediaPage }));
const OverviewPage = lazy(async () => ({ default: (await import("./run/overview-page.tsx")).OverviewPage }));
const RolesPage = lazy(async () => ({ default: (await import("./run/roles-page.tsx")).RolesPage }));
const RolePage = lazy(async () => ({ default: (await import("./run/role-page.tsx")).RolePage }));
const TokensPage = lazy(async () => ({ default: (await import("./run/tokens-page.tsx")).TokensPage }));
const PeoplePage = lazy(async () => ({ default: (await import("./people/page.tsx")).PeoplePage }));

const Start = ({ model }: { readonly model: Model }) => {
  const t = useText();
  const [first] = model.contentTypes;
  return first ? <Redirect to={hrefOf(first)} replace /> : <Empty isPage icon="stack" title={t("nav.none")} />;
};

const Pages = ({ model }: { readonly model: Model }) => {
  const named = (name: string, property: "pluralName" | "singularName") =>
    model.contentTypes.find((type) => type[property] === name);
  return (
    <Switch>
      <Route path="/content/:plural/new">
        {({ plural }) => {
          const type = named(plural, "pluralName");
          return type ? <EditPage key={`${type.uid} new`} type={type} /> : <Missing />;
        }}
      </Route>
      <Route path="/content/:plural/:documentId">
        {({ plural, documentId }) => {
          const type = named(plural, "pluralName");
          return type ? (
            <EditPage key={`${type.uid} ${documentId}`} type={type} documentId={documentId} />
          ) : (
            <Missing />
          );
        }}
      </Route>
      <Route path="/content/:plural">
        {({ plural }) => {
          const type = named(plural, "pluralName");
          return type ? <ListPage key={type.uid} type={type} /> : <Missing />;
        }}
      </Route>
      <Route path="/single/:name">
        {({ name }) => {
          const type = named(name, "singularName");
          return type ? <EditPage key={type.uid} type={type} documentId="" /> : <Missing />;
        }}
      </Route>
      <Route path="/media">
        <MediaPage />
      </Route>
      <Route path="/people">
        <PeoplePage />
      </Route>
      <Route path="/roles">
        <RolesPage />
      </Route>
      <Route path="/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
      <Route path="/tokens">
        <TokensPage />
      </Route>
      <Route path="/overview">
        <OverviewPage />
      </Route>
      <Route>
        <Start model={model} />
      </Route>
    </Switch>
  );
};

const Missing = () => <Empty isPage icon="search" title={useText()("edit.notFound")} />;

/** The panel for the signed-in user. */
export const App = () => {
  const t = useText();
  const { signOut } = useSession();
  const [location] = useLocation();
  const { data: model, error, refetch } = useDescription(true);
  if (error instanceof RequestError && error.status === 403)
    return (
      <Empty isPage icon="alert" title={t("error.title")} text={t("error.forbidden")}>
        <Button mt="md" variant="default" onClick={() => void signOut()}>
          {t("account.signOut")}
        </Button>
      </Empty>
    );
  if (!model && error) return <Failed error={error} retry={() => void refetch()} />;
  if (!model)
    return (
      <Center h="100vh">
        <Loader />
      </Center>
    );
  return (
    <ModelContext value={model}>
      <Shell>
        <Boundary key={location}>
          <Suspense fallback={<LoadingRows />}>
            <Pages model={model} />
          </Suspense>
        </Boundary>
      </Shell>
    </ModelContext>
  );
};
